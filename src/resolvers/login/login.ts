import { sql } from '@mikro-orm/core';
import { IsNotEmpty, MaxLength, MinLength } from 'class-validator';
import { Arg, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Own, Public } from '../../access/access.ts';
import { login } from '../../domain/login/login.ts';
import { changePassword, PASSWORD_CONTROLLER } from '../../domain/login/password-change.ts';
import { recordLock } from '../../domain/records.ts';
import { writingAs } from '../../request/writing.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { Sessao } from '../../entities/permissoes/sessao.ts';
import { DateTimeScalar } from '../../entities/scalars.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';

@InputType({ description: 'Who logs in.' })
export class LoginInput {
  @Field(() => String, { description: 'User name' })
  @IsNotEmpty()
  @MaxLength(254)
  username!: string;

  @Field(() => String, { description: 'Password' })
  @IsNotEmpty()
  @MaxLength(1000)
  password!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Live token of the same person, whose session this login replaces',
  })
  @MaxLength(1000)
  token?: string | null;
}

@InputType({ description: 'A new password.' })
export class SenhaInput {
  @Field(() => String, { description: 'User name of the person whose password it is' })
  @MaxLength(254)
  username!: string;

  @Field(() => String, {
    description: 'New password, at least 10 characters, not white space alone and not the user name',
  })
  @MinLength(10)
  @MaxLength(1000)
  password!: string;
}

@ObjectType({ description: 'Who logged in.', simpleResolvers: true })
export class LoginPessoa {
  @Field(() => Int, { description: 'Identifier' })
  id!: number;

  @Field(() => String, { description: 'Name by which the person is called' })
  nome!: string;

  @Field(() => String, { description: 'E-mail address' })
  email!: string;
}

@ObjectType({ description: 'A system, as a login shows it.', simpleResolvers: true })
export class LoginSistema {
  @Field(() => Int, { description: 'Identifier' })
  id!: number;

  @Field(() => String, { description: 'Acronym' })
  sigla!: string;
}

@ObjectType({ description: 'A system in which a person has a profile.', simpleResolvers: true })
export class SistemaDoMenu extends LoginSistema {
  @Field(() => String, { description: 'Name' })
  nome!: string;
}

@ObjectType({ description: 'A profile that somebody who logged in has.', simpleResolvers: true })
export class LoginPerfil {
  @Field(() => Int, { description: 'Identifier' })
  id!: number;

  @Field(() => String, { description: 'Name' })
  nome!: string;
}

@ObjectType({ description: 'A session that was just opened.', simpleResolvers: true })
export class Login {
  @Field(() => String, { description: 'Send it in the `token` header. It is shown this once.' })
  token!: string;

  @Field(() => DateTimeScalar, { description: 'When the token expires' })
  expiraEm!: Date;

  @Field(() => LoginPessoa, { description: 'Who logged in' })
  pessoa!: LoginPessoa;

  @Field(() => LoginSistema, { description: 'System through which they logged in' })
  sistema!: LoginSistema;

  @Field(() => [LoginPerfil], { description: 'Active profiles of the person' })
  perfis!: LoginPerfil[];

  @Field(() => [SistemaDoMenu], {
    description: 'Systems of those profiles, which have a side menu for the person',
  })
  sistemas!: SistemaDoMenu[];
}

@Resolver()
export class LoginResolver {
  @Query(() => Sessao, { description: "The caller's session" })
  @Own()
  async sessaoAtual(@TheCall() call: Call): Promise<Sessao> {
    const { id } = await call.context.session();
    return (await call.one(Sessao, { id }))!;
  }

  @Mutation(() => Login, {
    description: 'Logs in. Needs the headers `app-name`, `appversion` and `api-key`, and no token.',
  })
  @Public({ apiKey: true, presumesSystem: true })
  entrar(
    @Arg('input', () => LoginInput, { description: 'Who logs in, with their password' }) input: LoginInput,
    @TheCall() call: Call,
  ): Promise<Login> {
    return login(call.context, input);
  }

  @Mutation(() => Pessoa, {
    description:
      "Sets a password: one's own, or another's with level 3 on `auth/senha` and on everything that they hold. " +
      "Ends that person's other sessions.",
  })
  @Own({ apiKey: true, others: PASSWORD_CONTROLLER })
  async alterarSenha(
    @Arg('input', () => SenhaInput, { description: 'Old and new password' }) input: SenhaInput,
    @TheCall() call: Call,
  ): Promise<Pessoa> {
    return (await call.one(Pessoa, { id: await changePassword(call.context, input) }))!;
  }

  @Mutation(() => Boolean, { description: 'Ends the session: its token is dead from now on.' })
  @Own()
  async sair(@TheCall() call: Call): Promise<boolean> {
    const { id } = await call.context.session();
    await writingAs(call, { lane: 'login', locks: [recordLock(Sessao, id)] }, em =>
      em.nativeUpdate(Sessao, { id }, { encerradaEm: sql.now() }),
    );
    return true;
  }
}
