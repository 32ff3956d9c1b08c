import type { EntityManager } from '@mikro-orm/postgresql';
import { Arg, Field, InputType, Int, Mutation, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { GRANTED } from '../../access/granted.ts';
import { administered } from '../../domain/administration.ts';
import { PERMISSIONS_CONTROLLER, requireNotDismissed } from '../../domain/people.ts';
import { createOrRevive } from '../../domain/records.ts';
import { transactionReader } from '../../database/reader.ts';
import type { Situacao } from '../../entities/column.ts';
import { Permissao } from '../../entities/permissoes/permissao.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import type { Scope } from '../../listing/list.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { inactivate, listOwn, resource, update } from '../resource.ts';
import { readFor } from '../../request/for-person.ts';

@List(() => Permissao, { paging: 'optional' })
export class PermissoesArgs extends ListArgs {
  @Filter(() => Int, 'idPessoa') idPessoa?: number;
  @Filter(() => Int, 'idPerfil') idPerfil?: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Only of profiles that give something on this controller',
  })
  idController?: number | null;
}

@List(() => Permissao, { paging: 'optional' })
export class PermissoesDaPessoaArgs extends ListArgs {
  @Field(() => Int, { description: 'Person' })
  idPessoa!: number;
}

/** An item without a controller gives every active controller of its system. */
const GIVING = `
select distinct id_perfil from ${GRANTED} granted
where id_sistema = (select id_sistema from controller where id = $1 and situacao = 'A')
  and (id_controller is null or id_controller = $1)`;

async function onController({ idController }: PermissoesArgs, { context }: Call): Promise<Scope> {
  if (idController == null) return {};
  const rows = await context.reader.rows(GIVING, [idController]);
  return { idPerfil: rows.flat() };
}

async function ofPerson({ idPessoa }: PermissoesDaPessoaArgs, { context }: Call): Promise<Scope> {
  await readFor(context, idPessoa, PERMISSIONS_CONTROLLER);
  return { 'pessoa.id': idPessoa };
}

@InputType({ description: 'That a person has a profile.' })
export class PermissaoInput {
  @FieldOf(Permissao) idPessoa!: number;
  @FieldOf(Permissao) idPerfil!: number;
  @FieldOf(Permissao, { nullable: true }) situacao?: Situacao | null;
}

const KEPT = 'select id_pessoa, id_perfil from permissao where id = $1';

/**
 * An inactive permission gives nothing, but counts against taking its person over. Nobody brings one about for what they
 * do not manage, or makes it another one.
 */
async function linked({ id, pessoa, perfil, situacao }: Permissao, em: EntityManager): Promise<number[]> {
  const [kept] = id ? await transactionReader(em).rows(KEPT, [id]) : [];
  if (!kept) return situacao === 'I' ? [perfil.id] : [];
  const [idPessoa, idPerfil] = kept as [number, number];
  return idPessoa === pessoa.id && idPerfil === perfil.id ? [] : [idPerfil, perfil.id];
}

const rules = administered<Permissao, object>({
  prepare: async ({ situacao, pessoa }, _input, em) => {
    if (situacao !== 'I')
      await requireNotDismissed(transactionReader(em), { by: 'id', value: pessoa.id }, 'idPessoa');
  },
  links: linked,
  gives: ({ situacao, perfil }) => (situacao === 'I' ? [] : [perfil.id]),
});

export const PermissaoResolver = resource(Permissao, PERMISSIONS_CONTROLLER, {
  permissoes: listOwn(PermissoesArgs, 'Who has which profile', 'idPessoa', onController),
  permissoesDaPessoa: listOwn(PermissoesDaPessoaArgs, 'Which profiles a person has', null, ofPerson),
  atualizarPermissao: update(PermissaoInput, 'Changes who has a profile', rules),
  excluirPermissao: inactivate('Takes a profile from a person: the permission is kept, inactive', rules),
});

@Resolver()
export class ConcessaoPermissaoResolver {
  @Requires(PERMISSIONS_CONTROLLER, 2)
  @Mutation(() => Permissao, { description: 'Gives a person a profile, also one that was taken before' })
  criarPermissao(
    @Arg('input', () => PermissaoInput, { description: 'Who gets which profile' }) input: PermissaoInput,
    @TheCall() call: Call,
  ): Promise<Permissao> {
    const { idPessoa, idPerfil } = input;
    return createOrRevive(call, Permissao, { pessoa: idPessoa, perfil: idPerfil }, input, rules);
  }
}
