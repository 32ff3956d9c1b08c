import { situations, type Situacao } from '../../entities/column.ts';
import { Args, Field, Int, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { Relatorio } from './relatorio.ts';
import { Filter, List, ListArgs, Paged } from '../../listing/args.ts';
import { recordList, type RecordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import { pageOf } from '../../listing/read-page.ts';
import { reports } from './catalogue.ts';
import { ParametroRelatorio, parametersOf } from '../parameters.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';

@List(() => Relatorio, { paging: 'always' })
export class RelatoriosArgs extends ListArgs {
  @Filter(() => String, 'descricao') descricao?: string;
  @Filter(situations.graphql, 'situacao') situacao?: Situacao;
}

@Paged()
class ParametrosRelatorioArgs extends ListArgs {
  @Field(() => Int, { description: 'Identifier of the report' })
  idRelatorio!: number;
}

const RelatorioPage = Page(Relatorio);
const ParametroRelatorioPage = Page(ParametroRelatorio);

@Resolver()
export class RelatorioResolver {
  @Own()
  @Query(() => RelatorioPage, { description: 'Reports that the caller may run' })
  async relatorios(
    @Args(() => RelatoriosArgs) args: RelatoriosArgs,
    @TheCall() call: Call,
  ): Promise<RecordList<Relatorio>> {
    const allowed: string[] = [];
    for (const { controller } of reports.values())
      if (await call.context.caller.readsAll(controller)) allowed.push(controller);
    return recordList(args, { controller: allowed });
  }

  @Own()
  @Query(() => ParametroRelatorioPage, {
    nullable: true,
    description:
      'What a report that the caller may run can be asked with; null when there is none with this id',
  })
  async parametrosRelatorio(
    @Args(() => ParametrosRelatorioArgs) { idRelatorio, ...args }: ParametrosRelatorioArgs,
    @TheCall() call: Call,
  ): Promise<Page<ParametroRelatorio> | null> {
    const report = reports.get(idRelatorio);
    if (!report) return null;
    await call.context.caller.authorize({ kind: 'level', controller: report.controller, level: 1 });
    return pageOf(parametersOf(call.schema, report, call.context.language), args);
  }
}
