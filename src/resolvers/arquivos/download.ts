import { Arg, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { PlanoEnsino } from '../../entities/academico/plano-ensino.ts';
import { ArquivoDigital } from '../../entities/arquivos/arquivo-digital.ts';
import type { Context } from '../../request/context.ts';
import { Download, downloadOf } from '../../request/downloads.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';

@Resolver()
export class DownloadResolver {
  @Own()
  @Query(() => Download, {
    description:
      'The address of a file that a GET of REST answers, for links in browsers: the export of a list (`/almoxarifadoquimicos/materiais?export=true&formatoPlanilha=xlsx`), a report (`caminho` of `relatorios` with `?pdf=true` or `?planilha=true`), a document, or a digital file',
  })
  download(
    @Arg('caminho', () => String, {
      description: 'Path with its parameters, spelled as REST documents them in `/docs`',
    })
    caminho: string,
    @TheCall() { context }: Call,
  ): Promise<Download> {
    return downloadOf(context, caminho);
  }
}

/** A field of records that is computed when a client asks for it. */
const Later = () => Extensions({ graphqlOnly: true, readsLater: true });

@Resolver(() => ArquivoDigital)
export class ArquivoDigitalDownloadResolver {
  @Later()
  @FieldResolver(() => Download, {
    nullable: true,
    description: 'Where a browser gets its content; needs the same API key as the file',
  })
  async download(@Root() { id }: ArquivoDigital, @Ctx() context: Context): Promise<Download> {
    await context.caller.system.required();
    return downloadOf(context, `/arquivosdigitais/arquivos-digitais/${id}`);
  }
}

@Resolver(() => PlanoEnsino)
export class PlanoEnsinoPdfResolver {
  @Later()
  @FieldResolver(() => Download, { nullable: true, description: 'Where a browser gets it as PDF' })
  pdf(@Root() { id }: PlanoEnsino, @Ctx() context: Context): Promise<Download> {
    return downloadOf(context, `/academico/planos-ensino/gerar-pdf/${id}`);
  }
}
