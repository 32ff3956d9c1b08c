/** The statements of the baseline's login. */

export const system = `select s.id, s.sigla from sistema s join chave_api k on k.id_sistema = s.id
where s.sigla = $1 and s.situacao = 'A' and k.hash = $2 and k.revogada_em is null
  and (k.expira_em is null or k.expira_em > now())`;

/** The same function and limits as the service's throttle. */
export const reserve = `select reservada, cheia from reservar_tentativa(
  $1, $2, $3, 5, 50, 50, 500, interval '15 minutes', interval '2 minutes', interval '30 days')`;

export const failed = `update tentativa_senha set estado = 'falhou', momento = clock_timestamp() where id = $1`;
export const right = `with done as (
  delete from tentativa_senha where par = $2 and estado <> 'em_curso'
)
update tentativa_senha set estado = 'entrou', momento = clock_timestamp() where id = $1`;

export const person = `select p.id, p.nome, p.email, c.senha_hash from pessoa p
join credencial c on c.id_pessoa = p.id
join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
where p.usuario = $1 and p.situacao = 'A'`;

export const sayWho = `select set_config('sii.id_pessoa', $1, true), set_config('sii.id_sistema', $2, true),
  set_config('sii.endereco', $3, true)`;

export const isStill = 'select 1 from credencial where id_pessoa = $1 and senha_hash = $2 for share';

export const openSession = `insert into sessao
  (id_pessoa, id_sistema, token_hash, versao_aplicacao, endereco, expira_em, criado_por, alterado_por)
values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6), $1, $1) returning expira_em`;

export const profiles = `select f.id, f.nome, s.id as s_id, s.sigla as s_sigla, s.nome as s_nome from permissao p
join perfil f on f.id = p.id_perfil and f.situacao = 'A'
join sistema s on s.id = f.id_sistema and s.situacao = 'A'
where p.id_pessoa = $1 and p.situacao = 'A' order by f.nome`;
