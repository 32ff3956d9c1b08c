import { IsIn, IsNotEmpty } from 'class-validator';
import { Field, InputType } from 'type-graphql';
import { ChoiceField } from '../../entities/choices.ts';
import { Importacao, importEncodings } from '../../entities/institucional/importacao.ts';
import type { Encoding } from '../../imports/encoding.ts';
import type { ImportRequest } from '../../imports/start.ts';
import { fieldMessages } from '../../messages.ts';
import { Rule } from '../../request/validation.ts';
import { isContent } from '../arquivos/arquivo-digital-input.ts';
import { FieldOf } from '../field-of.ts';

@InputType({ description: 'A file to import: csv or xlsx, with the headers that `importaveis` lists.' })
@Rule<Partial<ImportacaoInput>>(({ conteudo = '' }) =>
  isContent(conteudo) ? [] : [{ field: 'conteudo', message: fieldMessages.base64 }],
)
export class ImportacaoInput implements ImportRequest {
  @FieldOf(Importacao, { description: 'What to import: a name that `importaveis` lists, such as `pessoas`' })
  registros!: string;

  @FieldOf(Importacao) nomeArquivo!: string;

  @Field(() => String, {
    description:
      'Content in base64, not empty. In GraphQL the whole request has a limit. Larger files: POST the same fields in snake_case to `/institucional/importacoes`',
  })
  @IsNotEmpty()
  conteudo!: string;

  @FieldOf(Importacao, { nullable: true, description: 'Whether to check the file only, and import nothing' })
  simulacao?: boolean | null;

  @FieldOf(Importacao, {
    nullable: true,
    description: 'Whether to import rows without problems although others have some',
  })
  aceitarValidas?: boolean | null;

  @ChoiceField(importEncodings, {
    nullable: true,
    description: 'Encoding of a csv file, which is found out when absent',
  })
  @IsIn(importEncodings.values)
  codificacao?: Encoding | null;
}
