import { MaxLength } from 'class-validator';
import { Arg, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Own, Requires } from '../../access/access.ts';
import { directoryAnswers, dismiss, type Dismissal } from '../../directory/dismissal.ts';
import { ACCESS_CONTROLLER, admit, personErrors, type Admission } from '../../domain/people.ts';
import { withoutPunctuation } from '../../domain/cnpj.ts';
import { situations, type Situacao } from '../../entities/column.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { PessoaCadastro } from '../../entities/permissoes/pessoa-cadastro.ts';
import { Permissao } from '../../entities/permissoes/permissao.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { References } from '../../request/references.ts';
import { Either, IsNotBlank, Rule } from '../../request/validation.ts';
import { FieldOf } from '../field-of.ts';
import { NomeDiretorio } from '../institucional/usuario-diretorio.ts';
import { LoginPerfil } from '../login/login.ts';
import { listOwn, resource } from '../resource.ts';
import { normalised } from '../../text/normalised.ts';
import { readFor } from '../../request/for-person.ts';

@List(() => PessoaCadastro, { paging: 'default', usually: ['nome'], plural: 'cadastros' })
export class PessoasArgs extends ListArgs {
  @Filter(() => String, ['nome', 'nomeCivil']) nome?: string;
  @Filter(() => String, 'usuario', { match: 'exact', value: normalised }) usuario?: string;
  @Filter(() => String, 'email', { match: 'exact', value: normalised }) email?: string;
  @Filter(() => String, 'cpf', { match: 'exact', value: withoutPunctuation }) cpf?: string;
  @Filter(situations.graphql, 'situacao') situacao?: Situacao;
  @Filter(situations.graphql, 'acesso') acesso?: Situacao;

  @OrderBy('nome') orderByNome?: Ordem;
  @OrderBy('nomeCivil') orderByNomeCivil?: Ordem;
  @OrderBy('usuario') orderByUsuario?: Ordem;
  @OrderBy('criadoEm') orderByCriadoEm?: Ordem;
}

@Either<AdmissaoInput>(['idPessoa'], ['usuario', 'nomeCivil', 'email'])
@Rule(personErrors)
@InputType({
  description:
    'Who is let in, with which profile: a known person by `idPessoa`, or a new one by user name, civil name and e-mail.',
})
export class AdmissaoInput implements Admission {
  @Field(() => Int, { nullable: true, description: 'A person who is known already' })
  @References(() => Pessoa)
  idPessoa?: number | null;

  @FieldOf(Pessoa, { nullable: true }) usuario?: string | null;

  @Field(() => String, { nullable: true, description: 'Name in the civil register' })
  @IsNotBlank()
  @MaxLength(200)
  nomeCivil?: string | null;

  @FieldOf(Pessoa) nomeSocial?: string | null;
  @FieldOf(Pessoa, { nullable: true }) email?: string | null;

  @Field(() => String, { nullable: true, description: 'CPF, whose punctuation does not count' })
  cpf?: string | null;

  @FieldOf(Permissao) idPerfil!: number;
}

@ObjectType({ description: 'A laboratory that a person managed.', simpleResolvers: true })
export class LaboratorioDeixado {
  @Field(() => Int, { description: 'Identifier of the location' })
  id!: number;

  @Field(() => String, { description: 'Name' })
  nome!: string;

  @Field(() => String, { nullable: true, description: 'Acronym' })
  sigla!: string | null;
}

@ObjectType({ description: 'What ended when a person left.', simpleResolvers: true })
export class Desligamento implements Dismissal {
  @Field(() => Int, { description: 'Person' })
  idPessoa!: number;

  @Field(() => String, { description: 'Name by which the person is called' })
  nome!: string;

  @Field(() => Boolean, { description: 'Whether the person could enter until now' })
  acesso!: boolean;

  @Field(() => Int, { description: 'How many sessions were live' })
  sessoes!: number;

  @Field(() => [LoginPerfil], { description: 'Profiles that the person had' })
  perfis!: LoginPerfil[];

  @Field(() => [LaboratorioDeixado], {
    description: 'Laboratories that the person managed, or was to manage',
  })
  laboratorios!: LaboratorioDeixado[];

  @Field(() => [NomeDiretorio], { description: 'Managerial accounts that the person held' })
  contasGerenciais!: NomeDiretorio[];

  @Field(directoryAnswers.graphql, {
    description:
      "What the directory answered about the person's entry, and so whether they may still hold accounts",
  })
  entradaDiretorio!: Dismissal['entradaDiretorio'];
}

export const PessoaResolver = resource(PessoaCadastro, ACCESS_CONTROLLER, {
  pessoas: listOwn(
    PessoasArgs,
    'People, found by either of their names; without level 1 oneself alone',
    'id',
  ),
});

@Resolver()
export class PessoaCadastroResolver {
  @Own({ readers: ACCESS_CONTROLLER })
  @Query(() => PessoaCadastro, {
    nullable: true,
    description: 'One person; null when there is none with this id',
  })
  async pessoa(
    @Arg('id', () => Int, { description: 'Identifier of the person' }) id: number,
    @TheCall() call: Call,
  ): Promise<PessoaCadastro | null> {
    await readFor(call.context, id, ACCESS_CONTROLLER);
    return call.one(PessoaCadastro, { id });
  }

  @Requires(ACCESS_CONTROLLER, 2)
  @Mutation(() => PessoaCadastro, {
    description:
      'Lets a person in with a profile, all at once: the person if they are new, the profile, and the access to the ' +
      'environment. What is so already stays so. Also needs level 2 on `permissoes/permissoes`.',
  })
  admitirPessoa(
    @Arg('input', () => AdmissaoInput, { description: 'Who is let in, with which profile' })
    input: AdmissaoInput,
    @TheCall() call: Call,
  ): Promise<PessoaCadastro> {
    return admit(call, input);
  }

  @Requires(ACCESS_CONTROLLER, 3, { once: false })
  @Mutation(() => Desligamento, {
    description:
      'Ends everything by which a person acts, all at once: access, sessions, profiles, laboratories and managerial ' +
      'accounts. Needs level 3 on all that the person may do, and on laboratories and accounts that they hold.',
  })
  desligarPessoa(
    @Arg('id', () => Int, { description: 'Identifier of the person' }) id: number,
    @TheCall() call: Call,
  ): Promise<Desligamento> {
    return dismiss(call, id);
  }
}
