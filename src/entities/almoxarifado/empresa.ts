import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Derived } from '../computed.ts';
import { Registro } from '../registro.ts';
import { TipoEmpresa } from './tipo-empresa.ts';

@Entity()
@ObjectType({ description: 'A company that makes, sells or carries materials.', simpleResolvers: true })
export class Empresa extends Registro {
  @Column('text', { description: 'Name', max: 200, nullable: true, search: true, sort: true })
  nome!: string | null;

  @Column('text', {
    description: 'CNPJ without punctuation, 14 letters and digits',
    max: 14,
    nullable: true,
    unique: true,
    sort: true,
  })
  cnpj!: string | null;

  @Link(() => TipoEmpresa, { description: 'Kind of company' })
  tipoEmpresa!: TipoEmpresa;

  @Derived(
    () => [String],
    [],
    'What the monthly map of controlled chemicals lacks of a company that was just written, by field; else null',
  )
  avisos?: string[] | null;
}
