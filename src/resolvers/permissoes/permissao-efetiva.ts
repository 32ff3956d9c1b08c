import { Arg, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { Own } from '../../access/access.ts';
import { PERMISSIONS_CONTROLLER } from '../../domain/people.ts';
import { effectivePermissions, type EffectivePermission } from '../../domain/effective.ts';
import type { Call } from '../../request/call.ts';
import { TheCall } from '../../request/the-call.ts';
import { readFor } from '../../request/for-person.ts';

@ObjectType({
  description: 'A level that a person has on a controller, and through which profile.',
  simpleResolvers: true,
})
export class PermissaoEfetiva implements EffectivePermission {
  @Field(() => Int, { description: 'Profile that gives it' })
  idPerfil!: number;

  @Field(() => String, { description: 'Name of the profile' })
  perfil!: string;

  @Field(() => String, { description: 'Acronym of the system' })
  sistema!: string;

  @Field(() => String, { nullable: true, description: 'Controller; null for every one of the system' })
  controller!: string | null;

  @Field(() => Int, { description: '1 read, 2 write, 3 manage' })
  nivel!: number;
}

@Resolver()
export class PermissaoEfetivaResolver {
  @Own({ readers: PERMISSIONS_CONTROLLER })
  @Query(() => [PermissaoEfetiva], {
    description: 'What a person may do: on which controller, at which level, through which profile',
  })
  async permissoesEfetivas(
    @Arg('idPessoa', () => Int, { nullable: true, description: 'Person; the caller when absent' })
    idPessoa: number | null,
    @TheCall() { context }: Call,
  ): Promise<PermissaoEfetiva[]> {
    const session = await context.session();
    await readFor(context, idPessoa ?? session.idPessoa, PERMISSIONS_CONTROLLER);
    return effectivePermissions(context.reader, idPessoa ?? session.idPessoa);
  }
}
