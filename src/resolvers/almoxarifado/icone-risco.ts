import { MaxLength } from 'class-validator';
import { Arg, Args, Field, InputType, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { createRecord, deleteRecord, updateRecord } from '../../domain/records.ts';
import { IconeRisco } from '../../entities/almoxarifado/icone-risco.ts';
import { List, ListArgs } from '../../listing/args.ts';
import { Page } from '../../listing/page.ts';
import { TheCall, type Call } from '../call.ts';

const CONTROLLER = 'almoxarifadoquimicos/icones-risco';
const IconesRiscoPage = Page(IconeRisco);

@List(() => IconeRisco, { paging: 'never' })
export class IconesRiscoArgs extends ListArgs {}

@InputType({ description: 'A hazard pictogram.' })
export class IconeRiscoInput {
  @Field(() => String, {
    nullable: true,
    description: 'The picture: an image URL, or the image itself as a data: URI',
  })
  @MaxLength(65536)
  icone?: string | null;

  @Field(() => String, { nullable: true, description: 'Name, such as `Chama`' })
  @MaxLength(100)
  nome?: string | null;

  @Field(() => String, { nullable: true, description: 'What it warns of' })
  @MaxLength(1000)
  descricao?: string | null;
}

@Resolver()
export class IconeRiscoResolver {
  @Query(() => IconesRiscoPage, { description: 'Hazard pictograms' })
  @Requires(CONTROLLER, 1)
  iconesRisco(
    @Args(() => IconesRiscoArgs) args: IconesRiscoArgs,
    @TheCall() call: Call,
  ): Promise<Page<IconeRisco>> {
    return call.page(args);
  }

  @Query(() => IconeRisco, {
    nullable: true,
    description: 'One pictogram; null when there is none with this id',
  })
  @Requires(CONTROLLER, 1)
  iconeRisco(@Arg('id', () => Int) id: number, @TheCall() call: Call): Promise<IconeRisco | null> {
    return call.one(IconeRisco, id);
  }

  @Mutation(() => IconeRisco, { description: 'Adds a pictogram' })
  @Requires(CONTROLLER, 2)
  criarIconeRisco(
    @Arg('input', () => IconeRiscoInput) input: IconeRiscoInput,
    @TheCall() call: Call,
  ): Promise<IconeRisco> {
    return createRecord(call, IconeRisco, input);
  }

  @Mutation(() => IconeRisco, { description: 'Changes a pictogram' })
  @Requires(CONTROLLER, 2)
  atualizarIconeRisco(
    @Arg('id', () => Int) id: number,
    @Arg('input', () => IconeRiscoInput) input: IconeRiscoInput,
    @TheCall() call: Call,
  ): Promise<IconeRisco> {
    return updateRecord(call, IconeRisco, id, input);
  }

  @Mutation(() => IconeRisco, { description: 'Deletes a pictogram and answers it as it stood' })
  @Requires(CONTROLLER, 2)
  excluirIconeRisco(@Arg('id', () => Int) id: number, @TheCall() call: Call): Promise<IconeRisco> {
    return deleteRecord(call, IconeRisco, id);
  }
}
