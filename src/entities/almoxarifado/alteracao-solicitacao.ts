import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, LinkBy } from '../column.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { SolicitacaoAprovacao } from './solicitacao-aprovacao.ts';

@Entity()
@ObjectType({
  description: 'A change of a movement while it waited for approval, and who made it.',
  simpleResolvers: true,
})
export class AlteracaoSolicitacao extends Registro {
  @Link(() => SolicitacaoAprovacao, { description: 'The approval request', owner: true, keyOnly: true })
  solicitacao!: SolicitacaoAprovacao;

  @Column('text', { description: 'Column of the movement', max: 60 })
  campo!: string;

  @Column('text', { description: 'Its value before', max: 500, nullable: true })
  antes!: string | null;

  @Column('text', { description: 'Its value afterwards', max: 500, nullable: true })
  depois!: string | null;

  @LinkBy('criadoPor', () => Pessoa, 'Who made it')
  autor?: Pessoa | null;
}
