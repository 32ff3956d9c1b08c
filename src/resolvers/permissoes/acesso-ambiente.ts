import { Arg, InputType, Int, Mutation, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { endSessions } from '../../access/sessions.ts';
import { administered } from '../../domain/administration.ts';
import { profilesOf } from '../../access/grants.ts';
import { transactionReader } from '../../database/reader.ts';
import { ACCESS_CONTROLLER, requireNotDismissed } from '../../domain/people.ts';
import { createOrRevive, updateRecord } from '../../domain/records.ts';
import { situations, type Situacao } from '../../entities/column.ts';
import { AcessoAmbiente } from '../../entities/permissoes/acesso-ambiente.ts';
import { notFound } from '../../errors.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import type { Call } from '../../request/call.ts';
import { TheCall, TheVersionedCall } from '../../request/the-call.ts';
import { FieldOf } from '../field-of.ts';
import { list, resource } from '../resource.ts';

@List(() => AcessoAmbiente, { paging: 'default' })
export class AcessosAmbienteArgs extends ListArgs {
  @Filter(() => Int, 'idPessoa') idPessoa?: number;
  // If a person has a social name, it is also their `nome`.
  @Filter(() => String, 'pessoa.nome') nomeSocial?: string;
  @Filter(situations.graphql, 'situacao') situacao?: Situacao;
  @Filter(() => DateScalar, 'criadoEm', { match: 'day' }) criadoEm?: string;
  @Filter(() => DateScalar, 'alteradoEm', { match: 'day' }) alteradoEm?: string;
}

@InputType({ description: 'That a person may enter.' })
export class AcessoAmbienteInput {
  @FieldOf(AcessoAmbiente) idPessoa!: number;
}

/**
 * With environment access the person's profiles become effective, so it grants everything in them. It does not bring
 * back a person who was dismissed. @throws VALIDATION_FAILED
 */
const opening = administered<AcessoAmbiente, object>({
  prepare: ({ pessoa }, _input, em) =>
    requireNotDismissed(transactionReader(em), { by: 'id', value: pessoa.id }, 'idPessoa'),
  gives: (access, em) => profilesOf(em, access.pessoa.id),
});
const closing = administered<AcessoAmbiente, object>({
  prepare: async (access, _input, em) => {
    await endSessions(em, access.pessoa.id);
  },
});

export const AcessoAmbienteResolver = resource(AcessoAmbiente, ACCESS_CONTROLLER, {
  acessosAmbiente: list(AcessosAmbienteArgs, 'Who may enter at all'),
});

@Resolver()
export class EntradaAmbienteResolver {
  @Requires(ACCESS_CONTROLLER, 2)
  @Mutation(() => AcessoAmbiente, {
    description: 'Lets a person enter, also one whose access was taken before',
  })
  criarAcessoAmbiente(
    @Arg('input', () => AcessoAmbienteInput, { description: 'Who gets access' })
    { idPessoa }: AcessoAmbienteInput,
    @TheCall() call: Call,
  ): Promise<AcessoAmbiente> {
    return createOrRevive(call, AcessoAmbiente, { pessoa: idPessoa }, { idPessoa }, opening);
  }

  @Requires(ACCESS_CONTROLLER, 2)
  @Mutation(() => AcessoAmbiente, {
    description: "Takes a person's access and ends their sessions; the record is kept, inactive",
  })
  async excluirAcessoAmbiente(
    @Arg('idPessoa', () => Int, { description: 'Person' }) idPessoa: number,
    @TheVersionedCall() call: Call,
  ): Promise<AcessoAmbiente> {
    const em = call.context.services.orm.em.fork();
    const access = await em.findOne(AcessoAmbiente, { pessoa: idPessoa });
    if (!access) throw notFound();
    return updateRecord(call, AcessoAmbiente, access.id, { situacao: 'I' }, closing);
  }
}
