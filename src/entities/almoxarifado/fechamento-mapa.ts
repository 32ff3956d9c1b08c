import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, LinkBy, timestamp } from '../column.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';

/**
 * A closed month of the map of controlled chemicals, with the file as it was then. Triggers prevent changes of the
 * months with a valid closing, and of these rows: a closing can only be reopened, and store once that it was sent. The
 * table `conteudo_mapa` contains the bytes.
 */
@Entity()
@Check({ name: 'fechamento_mapa_mes_check', expression: '"mes" >= 1 and "mes" <= 12' })
@Check({ name: 'fechamento_mapa_ano_check', expression: '"ano" >= 2010' })
@Check({ name: 'fechamento_mapa_periodo', expression: '"inicio" < "fim"' })
@Check({ name: 'fechamento_mapa_sha256_check', expression: `"sha256" ~ '^[0-9a-f]{64}$'` })
@Check({ name: 'fechamento_mapa_envio', expression: '("protocolo" is null) = ("enviado_em" is null)' })
@Check({ name: 'fechamento_mapa_reabertura', expression: '("motivo" is null) = ("reaberto_em" is null)' })
@Index({
  name: 'fechamento_mapa_vigente',
  expression:
    'create unique index "fechamento_mapa_vigente" on "fechamento_mapa" ("ano", "mes") where "reaberto_em" is null',
})
@ObjectType({
  description:
    'A closing of a month of the map of controlled chemicals, which its creator closed. Nothing of the month changes until somebody reopens it.',
  simpleResolvers: true,
})
export class FechamentoMapa extends Registro {
  @Column('integer', { description: 'Year' })
  ano!: number;

  @Column('integer', { description: 'Month, 1 to 12' })
  mes!: number;

  /** The time at which the month begins, in the time zone that the institution had when it was closed. */
  @Property({ ...timestamp })
  inicio!: Date;

  /** The time at which the next month begins. */
  @Property({ ...timestamp })
  fim!: Date;

  /** The materials that were in the map then, also if they have left it since. A trigger adds those of the insert. */
  @Property({ type: 'array', columnType: 'int[]', defaultRaw: `'{}'`, lazy: true, hidden: true })
  materiais!: Opt<number[]>;

  @Column('text', { description: 'Name of the file', max: 40 })
  nomeArquivo!: string;

  @Column('integer', { description: 'Size of the file in bytes' })
  tamanho!: number;

  @Column('text', { description: 'SHA-256 of the file, in hexadecimal', max: 64 })
  sha256!: string;

  @Column('text', {
    description: 'Protocol number that SIPROQUIM 2 gave it; null until it was sent',
    max: 60,
    nullable: true,
  })
  protocolo!: string | null;

  @Column('timestamp', { description: 'When it was said that it was sent', nullable: true })
  enviadoEm!: Date | null;

  @Column('integer', { description: 'Person who said that it was sent', nullable: true })
  enviadoPor!: number | null;

  @LinkBy('enviadoPor', () => Pessoa, 'Who said that it was sent')
  enviadoPorPessoa?: Pessoa | null;

  @Column('timestamp', {
    description: 'When the month was reopened; null while it is closed',
    nullable: true,
  })
  reabertoEm!: Date | null;

  @Column('integer', { description: 'Person who reopened it', nullable: true })
  reabertoPor!: number | null;

  @LinkBy('reabertoPor', () => Pessoa, 'Who reopened it')
  reabertoPorPessoa?: Pessoa | null;

  @Column('text', { description: 'Why it was reopened', max: 500, nullable: true })
  motivo!: string | null;

  @LinkBy('criadoPor', () => Pessoa, 'Who closed it')
  autor?: Pessoa | null;
}
