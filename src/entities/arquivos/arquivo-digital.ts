import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Derived } from '../computed.ts';
import { Registro } from '../registro.ts';

@Entity()
@Index({
  name: 'arquivo_digital_origem',
  // Text is compared under this collation.
  expression: `create index "arquivo_digital_origem" on "arquivo_digital" ("id_tabela_origem", "nome_tabela_origem" collate "pt_br")`,
})
@ObjectType({
  description: 'A file that belongs to a row of some table, which may be of another system.',
  simpleResolvers: true,
})
export class ArquivoDigital extends Registro {
  @Column('integer', { description: 'Key of the row to which the file belongs' })
  idTabelaOrigem!: number;

  @Column('text', { description: 'Table of that row', max: 100 })
  nomeTabelaOrigem!: string;

  @Column('text', { description: 'Name of the file, which is shown and never becomes a path', max: 255 })
  nome!: string;

  @Column('text', { description: 'Media type, such as `application/pdf`', max: 255 })
  tipoMime!: string;

  @Column('integer', { description: 'Bytes of the content' })
  tamanho!: number;

  @Index()
  @Column('text', {
    description: 'SHA-256 of the content in hexadecimal, under which it is stored',
    max: 64,
  })
  sha256!: string;

  @Derived(() => String, ['sha256', 'tamanho'], 'Content in base64; null in the answer of a mutation')
  conteudo?: string | null;

  @Derived(
    () => Boolean,
    ['sha256', 'tamanho'],
    'Whether the content is there, complete and undamaged: it is read; null in the answer of a mutation',
  )
  existe?: boolean | null;
}
