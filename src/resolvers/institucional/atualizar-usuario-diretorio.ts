import { IsNotEmpty, MaxLength } from 'class-validator';
import { Arg, Args, ArgsType, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { Requires } from '../../access/access.ts';
import {
  attachAccount,
  changeAccount,
  DIRECTORY_CONTROLLER,
  findEntry,
  newAccountCode,
  type Proof,
} from '../../directory/accounts.ts';
import type { Context } from '../../request/context.ts';
import type { IssuedCode } from '../../directory/codes.ts';
import type { AccountChange } from '../../directory/directory.ts';
import { invalid, invalidField, type FieldError } from '../../errors.ts';
import { DateTimeScalar } from '../../entities/scalars.ts';
import { fieldMessages, type Text } from '../../messages.ts';
import { inputTexts } from '../messages.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { IsNotBlank } from '../../request/validation.ts';
import { attributesOf, ContaGerencialInput } from './conta-gerencial.ts';
import { UsuarioDiretorio } from './usuario-diretorio.ts';

@InputType({ description: 'What an act on a managerial account needs.' })
export class AtualizacaoDiretorioInput extends ContaGerencialInput {
  @Field(() => String, { nullable: true, description: 'One-time code, with `adicionarContaGerencialCvr`' })
  @IsNotBlank()
  @MaxLength(100)
  cvr?: string | null;

  @Field(() => String, { nullable: true, description: 'Password, with `adicionarContaGerencialSenha`' })
  @IsNotEmpty()
  @MaxLength(1000)
  senha?: string | null;
}

@ArgsType()
class AtualizarUsuarioDiretorioArgs {
  @Field(() => String, { description: 'E-mail address of the entry' })
  email!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether `nome` and `descricao` may change a managerial account',
  })
  editarContasGerenciais?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: '`true` suspends a managerial account, `false` lets it be used again',
  })
  suspenderConta?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address of a managerial account, which `cvr` attaches to the person',
  })
  adicionarContaGerencialCvr?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address of a managerial account, which `senha` attaches to the person',
  })
  adicionarContaGerencialSenha?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to make a one-time code for a managerial account without a password',
  })
  gerarCodigoCvr?: boolean | null;
}

@ObjectType({ description: 'An entry of the directory after an act on it.', simpleResolvers: true })
export class UsuarioDiretorioAtualizado extends UsuarioDiretorio {
  @Field(() => String, {
    nullable: true,
    description: 'The code that was made, under the name under which it is sent. It is shown this once.',
  })
  cvr!: string | null;

  @Field(() => String, { nullable: true, description: 'The same code, under its earlier name' })
  codigoCvr!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When that code expires' })
  codigoCvrExpiraEm!: string | null;
}

/** The action that the PUT's parameters and body request; exactly one is allowed. */
type DirectoryAction =
  | { kind: 'attach'; account: string; proof: Proof }
  | { kind: 'code' }
  | { kind: 'change'; change: AccountChange };

@Resolver()
export class AtualizarUsuarioDiretorioResolver {
  @Requires(DIRECTORY_CONTROLLER, 2, { once: false })
  @Mutation(() => UsuarioDiretorioAtualizado, {
    description:
      'Does what one of the flags says: attaches a managerial account to a person, or changes, suspends or makes a ' +
      'code for a managerial account. Others than those that the caller holds need level 3.',
  })
  async atualizarUsuarioDiretorio(
    @Args(() => AtualizarUsuarioDiretorioArgs) args: AtualizarUsuarioDiretorioArgs,
    @Arg('input', () => AtualizacaoDiretorioInput, {
      nullable: true,
      description: 'What the flags need: codes, passwords, attributes',
    })
    input: AtualizacaoDiretorioInput | null,
    @TheCall() { context }: Call,
  ): Promise<UsuarioDiretorioAtualizado> {
    const planned = plan(args, input ?? new AtualizacaoDiretorioInput());
    const code = await run(context, args.email, planned);
    const entry = (await findEntry(context, args.email))!;
    const cvr = code?.cvr ?? null;
    return { ...entry, cvr, codigoCvr: cvr, codigoCvrExpiraEm: code?.expiraEm ?? null };
  }
}

async function run(
  context: Context,
  email: string,
  planned: DirectoryAction,
): Promise<IssuedCode | undefined> {
  if (planned.kind === 'code') return newAccountCode(context, email);
  if (planned.kind === 'attach') await attachAccount(context, email, planned.account, planned.proof);
  else await changeAccount(context, email, planned.change);
  return undefined;
}

/** @throws BAD_REQUEST, VALIDATION_FAILED for missing, surplus or contradictory parameters */
function plan(args: AtualizarUsuarioDiretorioArgs, input: AtualizacaoDiretorioInput): DirectoryAction {
  const suspensa = suspension(args.suspenderConta);
  const { adicionarContaGerencialCvr: byCode, adicionarContaGerencialSenha: byPassword } = args;
  const attributes = attributesOf(input);
  const change = { ...attributes, ...(suspensa !== undefined && { suspensa }) };
  const acts = [
    ['adicionarContaGerencialCvr', Boolean(byCode)],
    ['adicionarContaGerencialSenha', Boolean(byPassword)],
    ['gerarCodigoCvr', args.gerarCodigoCvr === true],
    [suspensa === undefined ? 'editarContasGerenciais' : 'suspenderConta', Object.keys(change).length > 0],
  ] as const;
  const [first, ...others] = acts.filter(([, isAsked]) => isAsked).map(([name]) => name);
  const errors: FieldError[] = others.map(field => ({ field, message: fieldMessages.oneAtATime }));
  const need = (isMissing: boolean, field: string, message: Text): void => {
    if (isMissing) errors.push({ field, message });
  };
  need(Boolean(byCode) && !input.cvr, 'cvr', fieldMessages.required);
  need(Boolean(byPassword) && !input.senha, 'senha', fieldMessages.required);
  need(!byCode && Boolean(input.cvr), 'adicionarContaGerencialCvr', inputTexts.neededFor('cvr'));
  need(!byPassword && Boolean(input.senha), 'adicionarContaGerencialSenha', inputTexts.neededFor('senha'));
  const edited = Object.keys(attributes).join(', ');
  const mayEdit = args.editarContasGerenciais === true || edited === '';
  need(!mayEdit, 'editarContasGerenciais', inputTexts.neededFor(edited));
  need(first === undefined && errors.length === 0, '', inputTexts.nothingToDo);
  if (errors.length > 0) throw invalid('VALIDATION_FAILED', errors);
  if (first === 'gerarCodigoCvr') return { kind: 'code' };
  if (byCode) return { kind: 'attach', account: byCode, proof: { cvr: input.cvr!, field: first! } };
  if (byPassword)
    return { kind: 'attach', account: byPassword, proof: { senha: input.senha!, field: first! } };
  return { kind: 'change', change };
}

/** The specification has a boolean as text. @throws BAD_REQUEST for any other text */
function suspension(text: string | null | undefined): boolean | undefined {
  if (text === null || text === undefined) return undefined;
  if (/^(true|false|1|0)$/i.test(text)) return /^(true|1)$/i.test(text);
  throw invalidField('BAD_REQUEST', 'suspenderConta', fieldMessages.oneOf(['true', 'false']));
}
