import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Lotacao } from '../almoxarifado/lotacao.ts';
import { Column, Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({
  description: 'An employee or grant holder, as the personnel system knows them.',
  simpleResolvers: true,
})
export class Funcionario extends Registro {
  @Column('text', { description: 'CPF, its eleven digits', max: 11, unique: true, sort: true })
  cpf!: string;

  @Column('text', { description: 'Civil name', max: 200, search: true, sort: true })
  nomeCivil!: string;

  @Column('text', {
    description: 'Name by which the person is called',
    max: 200,
    nullable: true,
    search: true,
    sort: true,
  })
  nomeSocial!: string | null;

  @Column('text', {
    description: 'Nature of the employment, such as `Estatutário` or `Bolsista`',
    max: 100,
    search: true,
    sort: true,
  })
  naturezaJuridica!: string;

  @Column('timestamp', { description: 'When the personnel system last changed the record', sort: true })
  ultimaAlteracao!: Date;

  @Column('text', { description: 'E-mail address', max: 254, nullable: true })
  email!: string | null;

  @Link(() => Lotacao, { description: 'Unit of the institution where the person works', nullable: true })
  lotacao!: Lotacao | null;

  @SituacaoColumn()
  situacao!: Situacao;
}
