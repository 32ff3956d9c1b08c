import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { reports } from './catalogue.ts';
import type { Report } from '../report.ts';
import { ReportRow } from '../row.ts';
import { Column, situations, type Situacao } from '../../entities/column.ts';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const rowOf = ({ id, controller, field, path, table }: Report): string =>
  `(${[id, ...[table.name, table.title, 'A', field, path, controller].map(literal)].join(', ')})`;

/** The declared reports, as a virtual table. */
const EXPRESSION = `
select * from (values ${[...reports.values()].map(rowOf).join(', ')})
  as r (id, nome, descricao, situacao, consulta, caminho, controller)`;

@Entity({ expression: EXPRESSION })
@ObjectType({ description: 'A report that can be run.', simpleResolvers: true })
export class Relatorio extends ReportRow {
  @Column('text', { description: 'Name of its files, such as `materiais-estocados`' })
  nome!: string;

  @Column('text', { description: 'Title' })
  descricao!: string;

  @Column('text', { description: 'State: active, like every report that is there', oneOf: situations })
  situacao!: Situacao;

  @Column('text', { description: 'GraphQL query that answers it' })
  consulta!: string;

  @Column('text', {
    description: 'REST path that answers it; with `pdf=true` or `planilha=true` as a file',
  })
  caminho!: string;

  @Column('text', { description: 'Controller on which level 1 allows to run it' })
  controller!: string;
}
