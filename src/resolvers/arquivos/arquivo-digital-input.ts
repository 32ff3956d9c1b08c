import { IsNotEmpty } from 'class-validator';
import { Field, InputType } from 'type-graphql';
import { ArquivoDigital } from '../../entities/arquivos/arquivo-digital.ts';
import { fieldMessages } from '../../messages.ts';
import { inputTexts } from '../messages.ts';
import { fromBase64 } from '../../storage/base64.ts';
import { isReference } from '../../storage/incoming.ts';
import { Rule } from '../../request/validation.ts';
import { AuthorsInput } from '../authors.ts';
import { FieldOf } from '../field-of.ts';

/** Type and subtype, each a restricted name of RFC 6838. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;

/** Base64, or the reference of a file from the request body. */
export const isContent = (text: string): boolean => isReference(text) || fromBase64(text) !== undefined;

@InputType({ description: 'A file with its content.' })
@Rule<Partial<ArquivoDigitalInput>>(({ tipoMime = 'text/plain', conteudo = '' }) => [
  ...(MEDIA_TYPE.test(tipoMime) ? [] : [{ field: 'tipoMime', message: inputTexts.mediaType }]),
  ...(isContent(conteudo) ? [] : [{ field: 'conteudo', message: fieldMessages.base64 }]),
])
export class ArquivoDigitalInput extends AuthorsInput {
  @FieldOf(ArquivoDigital) idTabelaOrigem!: number;

  @FieldOf(ArquivoDigital, {
    description: 'Table of that row; it is not looked up, and may be of another system',
  })
  nomeTabelaOrigem!: string;

  @FieldOf(ArquivoDigital) nome!: string;

  @FieldOf(ArquivoDigital, {
    mayBeEmpty: true,
    description: 'Media type without parameters, such as `application/pdf`',
  })
  tipoMime!: string;

  @Field(() => String, {
    description:
      'Content in base64, not empty. In GraphQL the whole request has a limit. Larger files: POST the same fields in snake_case to `/arquivosdigitais/arquivos-digitais`',
  })
  @IsNotEmpty()
  conteudo!: string;
}
