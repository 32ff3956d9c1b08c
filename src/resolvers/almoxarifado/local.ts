import { Field, Int } from 'type-graphql';
import { locationsOf } from '../../domain/managers.ts';
import { Local } from '../../entities/almoxarifado/local.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import type { Scope } from '../../listing/list.ts';
import type { Call } from '../../request/call.ts';
import { list, one, resource } from '../resource.ts';

@List(() => Local, { paging: 'optional' })
export class LocaisArgs extends ListArgs {
  @Filter(() => Int, 'idLotacao') idLotacao?: number;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Only the locations that the caller manages today',
  })
  filtrarPorTecnico?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'Only the locations that this person manages today' })
  idResponsavel?: number | null;
}

/** The locations that one person manages; with both arguments, those that both people manage. */
async function managedBy(
  { filtrarPorTecnico, idResponsavel }: LocaisArgs,
  { context }: Call,
): Promise<Scope> {
  const people = [
    ...(filtrarPorTecnico ? [(await context.session()).idPessoa] : []),
    ...(idResponsavel == null ? [] : [idResponsavel]),
  ];
  const em = context.services.orm.em.fork();
  const managed = await Promise.all(people.map(person => locationsOf(em.fork(), person)));
  return managed.length === 0
    ? {}
    : { id: managed.reduce((both, ids) => both.filter(id => ids.includes(id))) };
}

export const LocalResolver = resource(Local, 'almoxarifadoquimicos/locais', {
  locais: list(LocaisArgs, 'Laboratories and store rooms', managedBy),
  local: one('One location; null when there is none with this id'),
});
