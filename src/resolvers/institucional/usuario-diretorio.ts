import { Arg, Args, ArgsType, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { DIRECTORY_CONTROLLER, findEntry, ownEmail } from '../../directory/accounts.ts';
import { mailKey, type DirectoryEntry, type EntryName } from '../../directory/directory.ts';
import { Page } from '../../listing/page.ts';
import { TheCall, type Call } from '../../request/call.ts';

@ObjectType({ description: 'An entry of the directory, by name.', simpleResolvers: true })
export class NomeDiretorio implements EntryName {
  @Field(() => String, { description: 'E-mail address' })
  email!: string;

  @Field(() => String, { description: 'Name' })
  nome!: string;
}

@ObjectType({
  description: 'An entry of the directory: a person, or a managerial account, which people hold.',
  simpleResolvers: true,
})
export class UsuarioDiretorio extends NomeDiretorio implements Omit<DirectoryEntry, 'key'> {
  @Field(() => String, { nullable: true, description: 'What a managerial account is for' })
  descricao!: string | null;

  @Field(() => String, { nullable: true, description: 'CPF of a person, its digits alone' })
  employeetype!: string | null;

  @Field(() => Boolean, { description: 'Whether it is a managerial account' })
  contaGerencial!: boolean;

  @Field(() => Boolean, { description: 'Whether it may not be used' })
  suspensa!: boolean;

  @Field(() => Boolean, { description: 'Whether it has a password' })
  possuiSenha!: boolean;

  @Field(() => [NomeDiretorio], { description: 'Managerial accounts that a person holds' })
  contasGerenciais!: NomeDiretorio[];

  @Field(() => [NomeDiretorio], { description: 'People who hold a managerial account' })
  responsaveis!: NomeDiretorio[];
}

@ArgsType()
class UsuariosDiretorioArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Whether to show managerial accounts only',
  })
  retornarContasGerenciais?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only people with this CPF, whose punctuation does not count',
  })
  employeetype?: string | null;
}

const UsuarioDiretorioPage = Page(UsuarioDiretorio);

@Resolver()
export class UsuarioDiretorioResolver {
  @Own({ readers: DIRECTORY_CONTROLLER })
  @Query(() => UsuarioDiretorioPage, {
    description: "People and managerial accounts by name; without level 1 one's own entry alone",
  })
  async usuariosDiretorio(
    @Args(() => UsuariosDiretorioArgs) { retornarContasGerenciais, employeetype }: UsuariosDiretorioArgs,
    @TheCall() { context }: Call,
  ): Promise<Page<UsuarioDiretorio>> {
    const { directory, listing } = context.services;
    const cpf = employeetype?.replaceAll(/[.\-/\s]/g, '');
    const filter = {
      managerial: retornarContasGerenciais === true,
      employeetype: cpf,
      email: (await context.readsAll(DIRECTORY_CONTROLLER)) ? undefined : await ownEmail(context),
    };
    const isNobodys = cpf !== undefined && !/^\d+$/.test(cpf);
    const data = isNobodys ? [] : await directory.entries(filter, listing.limits.unpaginatedRows);
    return { data, total: data.length, page: 1, itemsPerPage: data.length, totalPages: 1 };
  }

  @Own({ readers: DIRECTORY_CONTROLLER })
  @Query(() => UsuarioDiretorio, {
    nullable: true,
    description: 'One entry by its e-mail address; null when there is none',
  })
  async usuarioDiretorio(
    @Arg('email', () => String, { description: 'E-mail address' }) email: string,
    @TheCall() { context }: Call,
  ): Promise<UsuarioDiretorio | null> {
    if (mailKey(email) !== (await ownEmail(context)))
      await context.authorize({ kind: 'level', controller: DIRECTORY_CONTROLLER, level: 1 });
    return findEntry(context, email);
  }
}
