import { Arg, Args, Field, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { Importacao, importStates, type ImportState } from '../../entities/institucional/importacao.ts';
import { notFound } from '../../errors.ts';
import { columnsOf } from '../../imports/plan.ts';
import { refusedRows } from '../../imports/refused.ts';
import { addProgress, IMPORTS_CONTROLLER, ownOnly, requireContents } from '../../imports/shown.ts';
import { importablesOf, startImport } from '../../imports/start.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { ImportacaoInput } from './importacao-input.ts';

/** Most refused rows in JSON: a chunk of them. The file has all that are kept. */
const SHOWN = 1_000;

@List(() => Importacao, { paging: 'default', usually: ['-id'] })
export class ImportacoesArgs extends ListArgs {
  @Filter(() => String, 'registros', { match: 'exact' }) registros?: string;
  @Filter(importStates.graphql, 'situacao') situacao?: ImportState;
}

@ObjectType({ description: 'A column that a file may have.', simpleResolvers: true })
export class ColunaImportavel {
  @Field(() => String, { description: 'Header' })
  nome!: string;

  @Field(() => Boolean, { description: 'Whether the file must have it, with a value in each row' })
  obrigatoria!: boolean;

  @Field(() => String, { description: 'What its cells are' })
  formato!: string;
}

@ObjectType({ description: 'A kind of record that can be imported.', simpleResolvers: true })
export class Importavel {
  @Field(() => String, { description: 'Name, for `importar`' })
  registros!: string;

  @Field(() => [ColunaImportavel], { description: 'Columns that a file may have, in any order' })
  colunas!: ColunaImportavel[];
}

@ObjectType({ description: 'A row that was not imported.', simpleResolvers: true })
export class LinhaRecusada {
  @Field(() => Int, { description: 'Number of the row in the imported file' })
  linha!: number;

  @Field(() => [String], { description: 'Its cells' })
  celulas!: string[];

  @Field(() => String, { description: 'What is wrong with it; empty beyond the first 1,000 problems' })
  problemas!: string;
}

@ObjectType({ description: 'The rows of a file that were not imported.', simpleResolvers: true })
export class LinhasRecusadas {
  @Field(() => [String], { description: 'Headers' })
  colunas!: string[];

  @Field(() => Int, { description: 'How many rows were refused' })
  total!: number;

  @Field(() => [LinhaRecusada], { description: 'The first 1,000 rows; the file has the first 100,000' })
  linhas!: LinhaRecusada[];
}

const ImportacaoPage = Page(Importacao);
const ID = { description: 'Identifier of the import' };

@Resolver()
export class ImportacaoResolver {
  @Own()
  @Query(() => [Importavel], {
    description: 'What the caller may import, with the columns of the files: level 3 is needed',
  })
  async importaveis(@TheCall() { context }: Call): Promise<Importavel[]> {
    const metadata = context.services.orm.getMetadata();
    return (await importablesOf(context)).map(importable => ({
      registros: importable.name,
      colunas: columnsOf(metadata, importable).map(({ header, required, format }) => ({
        nome: header,
        obrigatoria: required,
        formato: format.expected[context.language],
      })),
    }));
  }

  @Own({ readers: IMPORTS_CONTROLLER, person: 'criadoPor' })
  @Query(() => ImportacaoPage, { description: 'Imports, the latest first; without level 1 one’s own' })
  async importacoes(
    @Args(() => ImportacoesArgs) args: ImportacoesArgs,
    @TheCall() call: Call,
  ): Promise<Page<Importacao>> {
    const list = recordList<Importacao>(args, await ownOnly(call.context));
    const shown = call.selection['data'] ?? {};
    return call.answer(list, imports => addProgress(call, imports, shown));
  }

  @Own({ readers: IMPORTS_CONTROLLER })
  @Query(() => Importacao, {
    nullable: true,
    description: 'One import; null when there is none with this id',
  })
  async importacao(@Arg('id', () => Int, ID) id: number, @TheCall() call: Call): Promise<Importacao | null> {
    return find(call, id);
  }

  @Own({ readers: IMPORTS_CONTROLLER })
  @Query(() => LinhasRecusadas, { description: 'The rows of an import that were not imported' })
  async linhasRecusadas(
    @Arg('id', () => Int, ID) id: number,
    @TheCall() call: Call,
  ): Promise<LinhasRecusadas> {
    const { reader } = call.context;
    const { recusadas } = await requireContents(call.context, id);
    const { colunas, linhas } = await refusedRows(reader, id);
    return { colunas, total: recusadas!, linhas: linhas.slice(0, SHOWN) };
  }

  @Own({ managers: true })
  @Mutation(() => Importacao, {
    description:
      'Imports a file. It takes level 3 on what is imported. The answer waits 2 seconds for the end; ask `importacao` for the progress of a longer one. It is imported as a whole, or only its good rows if the input accepts that, or not at all',
  })
  async importar(
    @Arg('input', () => ImportacaoInput, { description: 'The file' }) input: ImportacaoInput,
    @TheCall() call: Call,
  ): Promise<Importacao> {
    const found = await find(call, await startImport(call, input));
    if (!found) throw notFound();
    return found;
  }
}

async function find(call: Call, id: number): Promise<Importacao | null> {
  const found = await call.one(Importacao, { id, ...(await ownOnly(call.context)) });
  if (found) await addProgress(call, [found], call.selection);
  return found;
}
