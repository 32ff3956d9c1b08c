import { Arg, Args, Field, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { DIRECTORY_CONTROLLER, findEntries, findEntry } from '../../directory/accounts.ts';
import { readEntryFilter, type GivenFilter, type GivenText } from '../../directory/entry-filter.ts';
import { readEntryOrders, type GivenOrder } from '../../directory/entry-order.ts';
import type { Entries, ShownEntry, ShownName } from '../../directory/directory.ts';
import { includesKey, ownKey } from '../../directory/own-entry.ts';
import { ListArgs, Ordem, Paged } from '../../listing/args.ts';
import { windowOf } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import { partialPage } from '../../listing/read-page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';

@ObjectType({ description: 'An entry of the directory, by name.', simpleResolvers: true })
export class NomeDiretorio implements ShownName {
  @Field(() => String, { description: 'E-mail address' })
  email!: string;

  @Field(() => String, { description: 'Name' })
  nome!: string;
}

@ObjectType({
  description: 'An entry of the directory: a person, or a managerial account, which people hold.',
  simpleResolvers: true,
})
export class UsuarioDiretorio extends NomeDiretorio implements ShownEntry {
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

@InputType({
  description:
    'Comparisons with a text of the directory. An LDAP server ignores case everywhere, and accents nowhere.',
})
class TextoDiretorioFilter implements GivenText {
  @Field(() => String, { nullable: true, description: 'Is this value' })
  eq?: string | null;

  @Field(() => String, { nullable: true, description: 'Is another value; an empty one is none' })
  ne?: string | null;

  @Field(() => [String], { nullable: true, description: 'Is one of these values' })
  in?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Is none of these values, and not empty' })
  notIn?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Contains this text, ignoring case' })
  contains?: string | null;

  @Field(() => String, { nullable: true, description: 'Starts with this text, ignoring case' })
  startsWith?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is empty' })
  isNull?: boolean | null;
}

@InputType({ description: 'Comparisons with a flag of the directory.' })
class MarcaDiretorioFilter {
  @Field(() => Boolean, { nullable: true, description: 'Is this value' })
  eq?: boolean | null;
}

@InputType({ description: 'Conditions on entries of the directory. All members that are given must hold.' })
class UsuarioDiretorioFilter implements GivenFilter {
  @Field(() => [UsuarioDiretorioFilter], { nullable: true, description: 'All of these hold' })
  and?: UsuarioDiretorioFilter[] | null;

  @Field(() => [UsuarioDiretorioFilter], { nullable: true, description: 'One of these holds' })
  or?: UsuarioDiretorioFilter[] | null;

  @Field(() => UsuarioDiretorioFilter, { nullable: true, description: 'This does not hold' })
  not?: UsuarioDiretorioFilter | null;

  @Field(() => TextoDiretorioFilter, { nullable: true, description: 'E-mail address' })
  email?: TextoDiretorioFilter | null;

  @Field(() => TextoDiretorioFilter, { nullable: true, description: 'Name' })
  nome?: TextoDiretorioFilter | null;

  @Field(() => TextoDiretorioFilter, { nullable: true, description: 'What a managerial account is for' })
  descricao?: TextoDiretorioFilter | null;

  @Field(() => TextoDiretorioFilter, {
    nullable: true,
    description: 'CPF of a person, whose punctuation does not count; whole values only',
  })
  employeetype?: TextoDiretorioFilter | null;

  @Field(() => MarcaDiretorioFilter, { nullable: true, description: 'Whether it is a managerial account' })
  contaGerencial?: MarcaDiretorioFilter | null;

  @Field(() => MarcaDiretorioFilter, { nullable: true, description: 'Whether it may not be used' })
  suspensa?: MarcaDiretorioFilter | null;

  @Field(() => MarcaDiretorioFilter, { nullable: true, description: 'Whether it has a password' })
  possuiSenha?: MarcaDiretorioFilter | null;
}

@InputType({ description: 'One attribute by which entries of the directory are ordered.' })
class UsuarioDiretorioOrderBy implements GivenOrder {
  @Field(() => Ordem, { nullable: true, description: 'E-mail address' })
  email?: Ordem | null;

  @Field(() => Ordem, { nullable: true, description: 'Name' })
  nome?: Ordem | null;

  @Field(() => Ordem, { nullable: true, description: 'What a managerial account is for' })
  descricao?: Ordem | null;

  @Field(() => Ordem, { nullable: true, description: 'CPF of a person' })
  employeetype?: Ordem | null;
}

@Paged()
class UsuariosDiretorioArgs extends ListArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Whether to show managerial accounts only: without level 1 those that the caller holds',
  })
  retornarContasGerenciais?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only people with this CPF, whose punctuation does not count; of managerial accounts those that they hold',
  })
  employeetype?: string | null;

  @Field(() => UsuarioDiretorioFilter, { nullable: true, description: 'Only entries that match' })
  filter?: GivenFilter | null;

  @Field(() => [UsuarioDiretorioOrderBy], {
    nullable: true,
    description:
      'Order of the entries, before that by name and address. Empty values come last when ascending.',
  })
  orderBy?: GivenOrder[] | null;
}

const UsuarioDiretorioPage = Page(UsuarioDiretorio);
const NOTHING: Entries = { entries: [], total: 0 };

@Resolver()
export class UsuarioDiretorioResolver {
  @Own({ readers: DIRECTORY_CONTROLLER })
  @Query(() => UsuarioDiretorioPage, {
    description: "People and managerial accounts by name; without level 1 one's own entry, or accounts",
  })
  async usuariosDiretorio(
    @Args(() => UsuariosDiretorioArgs)
    args: UsuariosDiretorioArgs,
    @TheCall() call: Call,
  ): Promise<Page<UsuarioDiretorio>> {
    const { context } = call;
    const { listing } = context.services;
    const window = windowOf(args, 'optional');
    const cpf = args.employeetype?.replaceAll(/[.\-/\s]/g, '');
    const managerial = args.retornarContasGerenciais === true;
    const own = (await context.caller.readsAll(DIRECTORY_CONTROLLER)) ? undefined : await ownKey(context);
    const filter = {
      managerial,
      employeetype: cpf,
      where: args.filter ? readEntryFilter(args.filter) : undefined,
      ...(own && { [managerial ? 'holder' : 'key']: own }),
    };
    const part = {
      most: listing.limits.unpaginatedRows,
      orders: readEntryOrders(args.orderBy ?? []),
      window,
      isCounted: (call.selection['total'] ?? call.selection['totalPages']) !== undefined,
    };
    const isNobodys = own === null || (cpf !== undefined && !/^\d+$/.test(cpf));
    const { entries, total } = isNobodys ? NOTHING : await findEntries(context, filter, part);
    return window ? partialPage(entries, total, window) : call.whole(entries);
  }

  @Own({ readers: DIRECTORY_CONTROLLER })
  @Query(() => UsuarioDiretorio, {
    nullable: true,
    description:
      "One entry by its e-mail address; null when there is none. Without level 1 one's own, or an account that the caller holds",
  })
  async usuarioDiretorio(
    @Arg('email', () => String, { description: 'E-mail address' }) email: string,
    @TheCall() { context }: Call,
  ): Promise<UsuarioDiretorio | null> {
    const entry = await findEntry(context, email);
    if (await context.caller.readsAll(DIRECTORY_CONTROLLER)) return entry;
    const theirs = entry ? [entry, ...entry.responsaveis] : [];
    if (!includesKey(theirs, await ownKey(context)))
      await context.caller.authorize({ kind: 'level', controller: DIRECTORY_CONTROLLER, level: 1 });
    return entry;
  }
}
