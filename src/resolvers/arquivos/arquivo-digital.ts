import { Arg, Args, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import { addContents } from '../../domain/file-contents.ts';
import { removeFiles, storeFile } from '../../domain/files.ts';
import { ArquivoDigital } from '../../entities/arquivos/arquivo-digital.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { recordList } from '../../listing/list.ts';
import { Page } from '../../listing/page.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { ArquivoDigitalInput } from './arquivo-digital-input.ts';

@List(() => ArquivoDigital, { paging: 'optional' })
export class ArquivosDigitaisArgs extends ListArgs {
  @Filter(() => Int, 'idTabelaOrigem') idTabelaOrigem?: number;
  @Filter(() => String, 'nomeTabelaOrigem', { match: 'exact' }) nomeTabelaOrigem?: string;

  @Field(() => [Int], { nullable: true, description: 'Only the files with these ids' })
  idsDosArquivos?: number[] | null;
}

const CONTROLLER = 'arquivosdigitais/arquivos-digitais';
const withKey = { apiKey: true };
const ArquivoDigitalPage = Page(ArquivoDigital);

@Resolver()
export class ArquivoDigitalResolver {
  @Requires(CONTROLLER, 1, withKey)
  @Query(() => ArquivoDigitalPage, { description: 'Digital files, by the rows to which they belong' })
  async arquivosDigitais(
    @Args(() => ArquivosDigitaisArgs) args: ArquivosDigitaisArgs,
    @TheCall() call: Call,
  ): Promise<Page<ArquivoDigital>> {
    const { idsDosArquivos } = args;
    const scope = idsDosArquivos == null ? {} : { id: idsDosArquivos };
    const list = recordList<ArquivoDigital>(args, scope);
    const shown = call.selection['data'] ?? {};
    const complete = (files: ArquivoDigital[]): Promise<void> => addContents(call.context, files, shown);
    if (!shown['conteudo']) return call.answer(list, complete);
    // The limit of contents applies to the whole answer.
    const page = await call.page(list);
    await complete(page.data);
    return page;
  }

  @Requires(CONTROLLER, 1, withKey)
  @Query(() => ArquivoDigital, {
    nullable: true,
    description: 'One file; null when there is none with this id',
  })
  async arquivoDigital(
    @Arg('id', () => Int, { description: 'Identifier of the file' }) id: number,
    @TheCall() call: Call,
  ): Promise<ArquivoDigital | null> {
    const file = await call.one(ArquivoDigital, { id });
    if (file) await addContents(call.context, [file], call.selection);
    return file;
  }

  @Requires(CONTROLLER, 2, withKey)
  @Mutation(() => ArquivoDigital, { description: 'Keeps a file' })
  enviarArquivoDigital(
    @Arg('input', () => ArquivoDigitalInput, { description: 'The file' }) input: ArquivoDigitalInput,
    @TheCall() call: Call,
  ): Promise<ArquivoDigital> {
    return storeFile(call, input);
  }

  @Requires(CONTROLLER, 2, withKey)
  @Mutation(() => ArquivoDigitalPage, {
    description: 'Removes all files of a row, and answers them as they stood',
  })
  excluirArquivosDigitais(
    @Arg('idTabelaOrigem', () => Int, { description: 'Key of the row' }) idTabelaOrigem: number,
    @Arg('nomeTabelaOrigem', () => String, { description: 'Table of the row' }) nomeTabelaOrigem: string,
    @TheCall() call: Call,
  ): Promise<Page<ArquivoDigital>> {
    return removeFiles(call, new ArquivosDigitaisArgs(), { idTabelaOrigem, nomeTabelaOrigem });
  }
}
