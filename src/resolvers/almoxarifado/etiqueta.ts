import { Arg, Args, ArgsType, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { labelledId } from '../../domain/label-codes.ts';
import { labelsOn, sheetNames, sheets, type SheetName } from '../../domain/label-sheets.ts';
import {
  batchLabels,
  placeLabels,
  type Label,
  type Labels,
  type LabelSubstance,
  type Pictogram,
} from '../../domain/labels.ts';
import { signalWords } from '../../entities/almoxarifado/classificacao-risco.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Lote } from '../../entities/almoxarifado/lote.ts';
import { ChoiceField } from '../../entities/choices.ts';
import { DateScalar } from '../../entities/scalars.ts';
import { invalid } from '../../errors.ts';
import { fieldMessages } from '../../messages.ts';
import { inputTexts } from '../messages.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { sizeErrors } from '../../request/validation.ts';

/** Most labels in one file. */
const MOST = 500;

@ArgsType()
class EtiquetasArgs {
  @Field(() => [Int], { description: 'Records, in the order of their labels' })
  ids!: number[];

  @ChoiceField(sheetNames, {
    nullable: true,
    absent: 'A4260',
    description: 'Sheet on which they are printed',
  })
  folha?: SheetName | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: 1,
    description: 'First place that is free on the first sheet, counted from 1 along the rows',
  })
  inicio?: number | null;

  @Field(() => Int, { nullable: true, defaultValue: 1, description: 'Labels of each record' })
  copias?: number | null;
}

/** The arguments with their default values. @throws BAD_REQUEST */
function wholeOf({ ids, folha: given, inicio, copias }: EtiquetasArgs) {
  const folha = given ?? 'A4260';
  const sheet = { ids, folha, inicio: inicio ?? 1, copias: copias ?? 1 };
  const errors = [
    ...(ids.length === 0 ? [{ field: 'ids', message: fieldMessages.atLeastOne }] : []),
    ...(ids.length * sheet.copias > MOST ? [{ field: 'ids', message: inputTexts.mostLabels(MOST) }] : []),
    ...sizeErrors('inicio', inicio, labelsOn(sheets[folha])),
    ...sizeErrors('copias', copias, MOST),
  ];
  if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
  return sheet;
}

@ObjectType({ description: 'A pictogram that labels show.', simpleResolvers: true })
export class PictogramaEtiqueta implements Pictogram {
  @Field(() => Int, { description: 'Identifier of the icon' })
  id!: number;

  @Field(() => String, { nullable: true, description: 'Name' })
  nome!: string | null;

  @Field(() => String, { description: 'The picture as a `data:` URI' })
  icone!: string;
}

@ObjectType({ description: 'A controlled chemical that a label names in a mixture.', simpleResolvers: true })
export class SubstanciaEtiqueta implements LabelSubstance {
  @Field(() => String, { description: 'Name of the chemical, or else its code of the Federal Police' })
  nome!: string;

  @Field(() => Float, { description: 'How much of the mixture it is, in per cent' })
  concentracao!: number;
}

@ObjectType({ description: 'What a label says.', simpleResolvers: true })
export class Etiqueta implements Label {
  @Field(() => String, { description: 'Text of the QR code, which leads back to the record' })
  qr!: string;

  @Field(() => String, { description: 'Name of the material; acronym of the location, or else its name' })
  nome!: string;

  @Field(() => String, { nullable: true, description: 'Composition of the material; name of the location' })
  detalhe!: string | null;

  @Field(() => String, { nullable: true, description: 'CAS registry number' })
  numeroCas!: string | null;

  @Field(() => Float, { nullable: true, description: 'Concentration in per cent' })
  concentracao!: number | null;

  @Field(() => [SubstanciaEtiqueta], {
    description: 'Controlled chemicals of a mixture, the largest share first',
  })
  substancias!: SubstanciaEtiqueta[];

  @Field(() => String, { nullable: true, description: "Manufacturer's code of the batch" })
  codLote!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day on which it expires' })
  dataVenc!: string | null;

  @Field(() => String, { nullable: true, description: 'Manufacturer' })
  fabricante!: string | null;

  @ChoiceField(signalWords, {
    nullable: true,
    description: 'Strongest signal word of the hazard classes, if each of them says its own',
  })
  palavraAdvertencia!: Label['palavraAdvertencia'];

  @Field(() => [String], { description: 'Hazard statements. A class without a picture is named in its own' })
  frases!: string[];

  @Field(() => [String], { description: 'Precautionary statements of the hazard classes, each once' })
  precaucoes!: string[];

  @Field(() => [Int], { description: 'Pictograms, by their identifiers in `pictogramas`' })
  idsPictogramas!: number[];

  @Field(() => String, { nullable: true, description: 'Legal control, if it is under one' })
  controle!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Label of the Army's list of controlled products (PCE), if it is on it",
  })
  rotuloExercito!: string | null;
}

@ObjectType({ description: 'Labels, and the sheet on which they are printed.', simpleResolvers: true })
export class Etiquetas implements Labels {
  @ChoiceField(sheetNames, { description: 'Sheet' })
  folha!: SheetName;

  @Field(() => Int, { description: 'Place of the first label, from 1' })
  inicio!: number;

  @Field(() => Int, { description: 'Labels of each record' })
  copias!: number;

  @Field(() => [Etiqueta], { description: 'One for each record' })
  etiquetas!: Etiqueta[];

  @Field(() => [PictogramaEtiqueta], { description: 'The pictograms of all labels' })
  pictogramas!: PictogramaEtiqueta[];
}

const BATCHES = 'almoxarifadoquimicos/lotes';
const LOCATIONS = 'almoxarifadoquimicos/locais';
const READ = { description: 'Text that was read from a QR code' };

@Resolver()
export class EtiquetaResolver {
  @Requires(BATCHES, 1)
  @Query(() => Etiquetas, { description: 'Labels of batches; REST answers them as a PDF' })
  async etiquetasLotes(
    @Args(() => EtiquetasArgs) args: EtiquetasArgs,
    @TheCall() { context }: Call,
  ): Promise<Etiquetas> {
    const { ids, ...sheet } = wholeOf(args);
    return { ...sheet, ...(await batchLabels(context, ids)) };
  }

  @Requires(LOCATIONS, 1)
  @Query(() => Etiquetas, { description: 'Labels of locations; REST answers them as a PDF' })
  async etiquetasLocais(
    @Args(() => EtiquetasArgs) args: EtiquetasArgs,
    @TheCall() { context }: Call,
  ): Promise<Etiquetas> {
    const { ids, ...sheet } = wholeOf(args);
    return { ...sheet, ...(await placeLabels(context, ids)) };
  }

  @Requires(BATCHES, 1)
  @Query(() => Lote, {
    nullable: true,
    description: 'The batch whose label was scanned; null for any other text',
  })
  async lotePorCodigo(
    @Arg('qr', () => String, READ) qr: string,
    @TheCall() call: Call,
  ): Promise<Lote | null> {
    const id = labelledId('LOTE', qr);
    return id === undefined ? null : call.one(Lote, { id });
  }

  @Requires(LOCATIONS, 1)
  @Query(() => Local, {
    nullable: true,
    description: 'The location whose label was scanned; null for any other text',
  })
  async localPorCodigo(
    @Arg('qr', () => String, READ) qr: string,
    @TheCall() call: Call,
  ): Promise<Local | null> {
    const id = labelledId('LOCAL', qr);
    return id === undefined ? null : call.one(Local, { id });
  }
}
