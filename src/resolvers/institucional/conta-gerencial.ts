import { MaxLength } from 'class-validator';
import { Arg, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { Own, Requires } from '../../access/access.ts';
import {
  attachAccount,
  changeAccount,
  DIRECTORY_CONTROLLER,
  findEntry,
  handOver,
  newAccountCode,
} from '../../directory/accounts.ts';
import type { IssuedCode } from '../../directory/codes.ts';
import { DateTimeScalar } from '../../entities/scalars.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { IsNotBlank } from '../../request/validation.ts';
import { UsuarioDiretorio } from './usuario-diretorio.ts';

@InputType({ description: 'What can be changed of a managerial account.' })
export class ContaGerencialInput {
  @Field(() => String, { nullable: true, description: 'Name' })
  @IsNotBlank()
  @MaxLength(200)
  nome?: string | null;

  @Field(() => String, { nullable: true, description: 'What it is for; null clears it' })
  @MaxLength(500)
  descricao?: string | null;
}

@InputType({ description: 'To whom a managerial account goes.' })
export class TransferenciaContaInput {
  @Field(() => String, { description: 'E-mail address of the person who gets it' })
  @IsNotBlank()
  @MaxLength(254)
  para!: string;

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address of the holder who leaves it; needed if several others hold it',
  })
  @MaxLength(254)
  de?: string | null;
}

@ObjectType({ description: 'A code that was just made.', simpleResolvers: true })
export class CodigoCvrEmitido implements IssuedCode {
  @Field(() => String, { description: 'The code. It is shown this once.' })
  codigo!: string;

  @Field(() => String, { description: 'The same, under the name under which it is sent' })
  cvr!: string;

  @Field(() => DateTimeScalar, { description: 'When it expires' })
  expiraEm!: string;
}

/** The attributes in an input. An account always has a name, so null leaves it as it is. */
export function attributesOf({ nome, descricao }: ContaGerencialInput) {
  // An empty text is stored as null, because LDAP has no empty values.
  return {
    ...(nome != null && { nome }),
    ...(descricao !== undefined && { descricao: descricao || null }),
  };
}

const EMAIL = { description: 'E-mail address of the account' };
const PERSON = { description: 'E-mail address of the person who is to hold it' };

/** No idempotency key: these mutations change accounts and codes, whose own state prevents repetition. */
const Act = () => Requires(DIRECTORY_CONTROLLER, 2, { once: false });

@Resolver()
export class ContaGerencialResolver {
  @Act()
  @Mutation(() => UsuarioDiretorio, { description: 'Suspends a managerial account: it may not be used' })
  suspenderContaGerencial(
    @Arg('email', () => String, EMAIL) email: string,
    @TheCall() call: Call,
  ): Promise<UsuarioDiretorio> {
    return changed(call, email, { suspensa: true });
  }

  @Act()
  @Mutation(() => UsuarioDiretorio, { description: 'Lets a suspended managerial account be used again' })
  reativarContaGerencial(
    @Arg('email', () => String, EMAIL) email: string,
    @TheCall() call: Call,
  ): Promise<UsuarioDiretorio> {
    return changed(call, email, { suspensa: false });
  }

  @Act()
  @Mutation(() => UsuarioDiretorio, { description: 'Changes the given attributes of a managerial account' })
  editarContaGerencial(
    @Arg('email', () => String, EMAIL) email: string,
    @Arg('input', () => ContaGerencialInput, { description: 'What changes of the account' })
    input: ContaGerencialInput,
    @TheCall() call: Call,
  ): Promise<UsuarioDiretorio> {
    return changed(call, email, attributesOf(input));
  }

  @Act()
  @Mutation(() => CodigoCvrEmitido, {
    description: 'Makes a one-time code by which a managerial account without a password can be attached',
  })
  gerarCodigoCvr(
    @Arg('email', () => String, EMAIL) email: string,
    @TheCall() { context }: Call,
  ): Promise<CodigoCvrEmitido> {
    return newAccountCode(context, email);
  }

  @Act()
  @Mutation(() => UsuarioDiretorio, {
    description: 'Attaches a managerial account to a person by its one-time code. Answers the person.',
  })
  async adicionarContaGerencialPorCvr(
    @Arg('email', () => String, PERSON) email: string,
    @Arg('conta', () => String, EMAIL) conta: string,
    @Arg('cvr', () => String, { description: 'The code' }) cvr: string,
    @TheCall() { context }: Call,
  ): Promise<UsuarioDiretorio> {
    await attachAccount(context, email, conta, { cvr, field: 'conta' });
    return (await findEntry(context, email))!;
  }

  @Act()
  @Mutation(() => UsuarioDiretorio, {
    description: 'Attaches a managerial account to a person by its password. Answers the person.',
  })
  async adicionarContaGerencialPorSenha(
    @Arg('email', () => String, PERSON) email: string,
    @Arg('conta', () => String, EMAIL) conta: string,
    @Arg('senha', () => String, { description: 'Password of the account' }) senha: string,
    @TheCall() { context }: Call,
  ): Promise<UsuarioDiretorio> {
    await attachAccount(context, email, conta, { senha, field: 'conta' });
    return (await findEntry(context, email))!;
  }
}

@Resolver()
export class TransferenciaContaResolver {
  @Own({ others: DIRECTORY_CONTROLLER })
  @Mutation(() => UsuarioDiretorio, {
    description:
      'Makes a person the holder of a managerial account in place of the caller, or with level 3 in place of anybody. ' +
      'A code of the account ends. Answers the account.',
  })
  async transferirContaGerencial(
    @Arg('email', () => String, EMAIL) email: string,
    @Arg('input', () => TransferenciaContaInput, { description: 'Who gets it' })
    { para, de }: TransferenciaContaInput,
    @TheCall() { context }: Call,
  ): Promise<UsuarioDiretorio> {
    await handOver(context, email, { from: de, to: para });
    return (await findEntry(context, email))!;
  }
}

async function changed(
  { context }: Call,
  email: string,
  change: Parameters<typeof changeAccount>[2],
): Promise<UsuarioDiretorio> {
  await changeAccount(context, email, change);
  return (await findEntry(context, email))!;
}
