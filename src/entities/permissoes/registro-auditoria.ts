import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link } from '../column.ts';
import { Pessoa } from './pessoa.ts';
import { Sistema } from './sistema.ts';

/** Kind of event in a row of the audit trail. */
export const auditedOperations = choices(
  'OperacaoAuditoria',
  'What was done to a record, or refused to a caller',
  {
    INCLUSAO: ['insert', 'The record was created'],
    ALTERACAO: ['update', 'The record was changed'],
    EXCLUSAO: ['delete', 'The record was deleted'],
    LOGIN_RECUSADO: ['login_recusado', 'A login failed'],
    ACESSO_RECUSADO: ['acesso_recusado', 'The person asked for an operation that they may not use'],
  },
);
export type OperacaoAuditoria = ValueOf<typeof auditedOperations>;

@ObjectType({ description: 'A field that a write changed.', simpleResolvers: true })
export class AlteracaoCampo {
  @Field(() => String, { description: 'Column of the table' })
  campo!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Value before, as text; null for none, `***` for a secret',
  })
  antes!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Value afterwards, as text; null for none, `***` for a secret',
  })
  depois!: string | null;
}

const from = (
  table: string,
): string => `select a.id, a.momento, a.id_pessoa, a.id_sistema, a.endereco, a.requisicao, a.operacao, a.tabela, a.id_registro,
  a.acao, a.vezes, auditoria_campos(a.alteracoes) as alteracoes
from ${table} a`;

/** The trail as clients read it: the monthly partitions, and the entries from before it was partitioned. */
const TRAIL = `${from('auditoria')}
union all
${from('auditoria_antes')}`;

@Entity({ view: true, expression: TRAIL })
@ObjectType({
  description: 'A row of the audit trail: a write, or what was refused. Rows are never changed or deleted.',
  simpleResolvers: true,
})
export class RegistroAuditoria {
  @Field(() => ID, { description: 'Identifier, rising with time' })
  @PrimaryKey({ type: 'bigint' })
  id!: string;

  @Column('timestamp', { description: 'When it was' })
  momento!: Date;

  @Link(() => Pessoa, {
    description: 'Person who was logged in; null for a failed login and for what the service does by itself',
    nullable: true,
  })
  pessoa!: Pessoa | null;

  @Link(() => Sistema, { description: 'System through which they were logged in', nullable: true })
  sistema!: Sistema | null;

  @Column('text', { description: 'Network address of the caller', max: 45, nullable: true })
  endereco!: string | null;

  @Column('text', {
    description: '`X-Request-Id` of the request; of the first one where several share a row',
    max: 36,
    nullable: true,
  })
  requisicao!: string | null;

  @Column('text', { description: 'What was done or refused', oneOf: auditedOperations })
  operacao!: OperacaoAuditoria;

  @Column('text', {
    description: 'Table of the record; `pessoa` for a failed login of a known user',
    max: 63,
    nullable: true,
  })
  tabela!: string | null;

  @Column('integer', { description: 'Identifier of the record', nullable: true })
  idRegistro!: number | null;

  @Column('text', { description: 'Query or mutation that was refused', max: 255, nullable: true })
  acao!: string | null;

  @Column('integer', {
    description: 'How often it happened within a minute: equal refusals share a row',
  })
  vezes!: number;

  @Field(() => [AlteracaoCampo], { description: 'What a write changed' })
  @Property({ type: 'json' })
  alteracoes!: AlteracaoCampo[];
}
