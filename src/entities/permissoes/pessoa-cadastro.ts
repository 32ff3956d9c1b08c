import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, SituacaoColumn, situations, type Situacao } from '../column.ts';
import { Pessoa } from './pessoa.ts';

const PEOPLE = `
select p.id, p.criado_em, p.alterado_em, p.id as id_pessoa, p.nome, p.nome_busca,
  p.nome_civil, p.nome_civil_busca, p.nome_social, p.usuario, p.email, p.cpf, p.situacao,
  coalesce(a.situacao, 'I') as acesso
from pessoa p left join acesso_ambiente a on a.id_pessoa = p.id`;

/** A person with the columns that other records do not show. The permissions of its list apply. */
@Entity({ expression: PEOPLE })
@ObjectType({
  description: 'A person as those see them who manage access: also by civil name and CPF.',
  simpleResolvers: true,
})
export class PessoaCadastro {
  @Column('integer', { description: 'Identifier of the person' })
  id!: number;

  @Column('timestamp', { description: 'When the person was created' })
  criadoEm!: Date;

  @Column('timestamp', { description: 'When the person was last changed' })
  alteradoEm!: Date;

  @Link(() => Pessoa, { description: 'The same person, as other records show them' })
  pessoa!: Pessoa;

  @Column('text', {
    description: 'Name by which the person is called: the social name, or the civil name if there is none',
    search: true,
  })
  nome!: string;

  @Column('text', { description: 'Name in the civil register', search: true })
  nomeCivil!: string;

  @Column('text', { description: 'Social name, where the person has one', nullable: true })
  nomeSocial!: string | null;

  @Column('text', { description: 'User name for the login, in lower case' })
  usuario!: string;

  @Column('text', { description: 'E-mail address, in lower case' })
  email!: string;

  @Column('text', { description: 'CPF, its digits alone', nullable: true })
  cpf!: string | null;

  @SituacaoColumn()
  situacao!: Situacao;

  @Column('text', {
    description: 'Whether the person may enter at all',
    max: 1,
    oneOf: situations,
  })
  acesso!: Situacao;
}
