import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, situations, type Situacao } from '../column.ts';
import { Autoria } from '../registro.ts';

/** Systems with a live key, with the client version of their last login. */
const SYSTEMS_THAT_MAY_CALL = `
select s.id, s.criado_em, s.alterado_em, s.criado_por, s.alterado_por, s.nome, s.sigla, s.situacao,
  (select se.versao_aplicacao from sessao se where se.id_sistema = s.id order by se.id desc limit 1) as versao,
  (select max(k.ultimo_uso) from chave_api k where k.id_sistema = s.id) as ultimo_uso,
  s.limite_falhas
from sistema s
where exists (
  select from chave_api k
  where k.id_sistema = s.id and k.revogada_em is null and (k.expira_em is null or k.expira_em > now())
)`;

@Entity({ view: true, expression: SYSTEMS_THAT_MAY_CALL })
@ObjectType({ description: 'A system that may call, which is one with a live key.', simpleResolvers: true })
export class ParametroAcessoApi extends Autoria {
  @Column('text', { description: 'Name', max: 200 })
  nome!: string;

  @Column('text', { description: 'Acronym, by which it names itself when it calls', max: 30 })
  sigla!: string;

  @Column('text', {
    description: 'State: an inactive system may not call',
    max: 1,
    oneOf: situations,
  })
  situacao!: Situacao;

  @Column('integer', {
    description:
      'Failed logins in 15 minutes that are allowed through it, whoever fails; null: as many as of any address',
    nullable: true,
  })
  limiteFalhas!: number | null;

  @Column('text', { description: 'Version that it sent at its last login', max: 50, nullable: true })
  versao!: string | null;

  @Column('timestamp', { description: 'When one of its keys was last used, to the minute', nullable: true })
  ultimoUso!: Date | null;
}
