import { Entity, ManyToOne, Unique } from '@mikro-orm/decorators/legacy';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';
import { ContaGerencial } from './conta-gerencial.ts';

/** A person's link to a managerial account that they hold. */
@Entity()
@Unique({ properties: ['conta', 'pessoa'] })
export class ResponsavelConta extends Registro {
  @ManyToOne(() => ContaGerencial, { fieldName: 'id_conta', deleteRule: 'cascade' })
  conta!: ContaGerencial;

  @ManyToOne(() => Pessoa, { fieldName: 'id_pessoa', index: true, deleteRule: 'restrict' })
  pessoa!: Pessoa;
}
