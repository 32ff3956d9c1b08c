import { InputType } from 'type-graphql';
import { IconeRisco } from '../../entities/almoxarifado/icone-risco.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { IsPicture } from '../../request/validation.ts';
import { FieldOf } from '../field-of.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => IconeRisco, { paging: 'optional' })
export class IconesRiscoArgs extends ListArgs {}

@InputType({ description: 'A hazard pictogram.' })
export class IconeRiscoInput {
  @FieldOf(IconeRisco) @IsPicture() icone?: string | null;
  @FieldOf(IconeRisco) nome?: string | null;
  @FieldOf(IconeRisco) descricao?: string | null;
}

export const IconeRiscoResolver = resource(IconeRisco, 'almoxarifadoquimicos/icones-risco', {
  iconesRisco: list(IconesRiscoArgs, 'Hazard pictograms'),
  iconeRisco: one('One pictogram; null when there is none with this id'),
  criarIconeRisco: create(IconeRiscoInput, 'Adds a pictogram'),
  atualizarIconeRisco: update(IconeRiscoInput, 'Changes a pictogram'),
  excluirIconeRisco: remove('Deletes a pictogram and answers it as it stood'),
});
