import { Args, Int, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import {
  auditedOperations,
  RegistroAuditoria,
  type OperacaoAuditoria,
} from '../../entities/permissoes/registro-auditoria.ts';
import { unlessReadOnly } from '../../database/primary.ts';
import { DateTimeScalar } from '../../entities/scalars.ts';
import { Filter, List, ListArgs, OrderBy, type Ordem } from '../../listing/args.ts';
import { Constant, recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';

@List(() => RegistroAuditoria, { paging: 'always' })
export class TrilhaAuditoriaArgs extends ListArgs {
  @Filter(() => Int, 'idPessoa') idPessoa?: number;
  @Filter(() => String, 'tabela', { match: 'exact' }) tabela?: string;
  @Filter(() => Int, 'idRegistro') idRegistro?: number;
  @Filter(auditedOperations.graphql, 'operacao') operacao?: OperacaoAuditoria;
  @Filter(() => DateTimeScalar, 'momento', { match: 'from' }) desde?: string;
  @Filter(() => DateTimeScalar, 'momento', { match: 'until' }) ate?: string;

  @OrderBy('momento') orderByMomento?: Ordem;
}

const RegistroAuditoriaPage = Page(RegistroAuditoria);

@Resolver()
export class AuditoriaResolver {
  @Requires('permissoes/auditoria', 3)
  @Query(() => RegistroAuditoriaPage, {
    description: 'Audit trail: who wrote what, from what to what; failed logins and refused operations',
  })
  async trilhaAuditoria(
    @Args(() => TrilhaAuditoriaArgs) args: TrilhaAuditoriaArgs,
    @TheCall() call: Call,
  ): Promise<RecordList<RegistroAuditoria>> {
    // Refusals are normally written in batches. They are written now, so that the query finds the newest.
    await call.context.services.refusals.write().catch(unlessReadOnly);
    // PostgreSQL may plan for any value, and then uses the index of refusals only for a literal.
    return recordList(args, args.operacao ? { operacao: new Constant(args.operacao) } : {});
  }
}
