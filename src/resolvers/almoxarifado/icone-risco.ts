import { MaxLength } from 'class-validator';
import { Field, InputType } from 'type-graphql';
import { IconeRisco } from '../../entities/almoxarifado/icone-risco.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { IsPicture } from '../../request/validation.ts';
import { create, list, one, remove, resource, update } from '../resource.ts';

@List(() => IconeRisco, { paging: 'never' })
export class IconesRiscoArgs extends ListArgs {}

@InputType({ description: 'A hazard pictogram.' })
export class IconeRiscoInput {
  @Field(() => String, {
    nullable: true,
    description: 'The picture: an image URL, or the image itself as a data: URI',
  })
  @MaxLength(65536)
  @IsPicture()
  icone?: string | null;

  @Field(() => String, { nullable: true, description: 'Name, such as `Chama`' })
  @MaxLength(100)
  nome?: string | null;

  @Field(() => String, { nullable: true, description: 'What it warns of' })
  @MaxLength(1000)
  descricao?: string | null;
}

export const IconeRiscoResolver = resource(IconeRisco, 'almoxarifadoquimicos/icones-risco', {
  iconesRisco: list(IconesRiscoArgs, 'Hazard pictograms'),
  iconeRisco: one('One pictogram; null when there is none with this id'),
  criarIconeRisco: create(IconeRiscoInput, 'Adds a pictogram'),
  atualizarIconeRisco: update(IconeRiscoInput, 'Changes a pictogram'),
  excluirIconeRisco: remove('Deletes a pictogram and answers it as it stood'),
});
