import { checkDigits } from '../../domain/cpf.ts';

type Employee = readonly [nomeCivil: string, naturezaJuridica: string, lotacao: string, nomeSocial?: string];

const [docente, tecnico, temporario, bolsista] = [
  'Estatutário – docente',
  'Estatutário – técnico-administrativo',
  'Contrato temporário',
  'Bolsista',
];

/** Fictional employees and grant holders by the acronym of their unit; the last two have left. */
const employees: readonly Employee[] = [
  ['Adriana Cunha Pimentel', docente, 'DQI'],
  ['Alberto Fontes Guimarães', docente, 'DQI'],
  ['Ana Lúcia Bragança', tecnico, 'DQI'],
  ['André Queiroz Salgado', bolsista, 'DEM'],
  ['Ângela Moura Teles', docente, 'DBI'],
  ['Benedito Alencar Rocha', tecnico, 'DEM'],
  ['Bruno Camargo Leal', bolsista, 'DQI', 'Bruna Camargo Leal'],
  ['Caio Montenegro Reis', docente, 'DQI'],
  ['Carolina Vasques Dorneles', temporario, 'DBI'],
  ['Célia Prates Noronha', tecnico, 'DBI'],
  ['Daniel Escobar Lacerda', docente, 'DEM'],
  ['Débora Antunes Vilar', docente, 'DBI'],
  ['Edson Barreto Pacheco', tecnico, 'DQI'],
  ['Elisa Fróes Tavares', bolsista, 'DBI'],
  ['Érica Botelho Sampaio', docente, 'DEM'],
  ['Fábio Quintela Ramos', temporario, 'DQI', 'Fabíola Quintela'],
  ['Fernanda Araújo Lins', docente, 'DQI'],
  ['Flávio Medeiros Assunção', tecnico, 'DEM'],
  ['Gabriela Portela Nunes', bolsista, 'DEM'],
  ['Gustavo Hollanda Pires', docente, 'DBI'],
  ['Heitor Vilela Castanho', bolsista, 'DQI'],
  ['Ígor Saldanha Meireles', tecnico, 'DBI'],
  ['Isabel Furtado Amarante', docente, 'DQI'],
  ['João Batista Carvalhal', tecnico, 'DEM'],
  ['Jonas Seixas Valadão', bolsista, 'DBI', 'Joana Seixas'],
  ['Karina Lobo Menescal', docente, 'DEM'],
  ['Laís Figueira Pontes', bolsista, 'DQI'],
  ['Leandro Bastos Coimbra', temporario, 'DEM'],
  ['Márcia Toledo Siqueira', docente, 'DBI'],
  ['Mário Sérgio Pessanha', tecnico, 'DQI'],
  ['Natália Drummond Góes', docente, 'DQI'],
  ['Otávio Lisboa Marinho', docente, 'DEM'],
  ['Patrícia Sabóia Neiva', tecnico, 'DBI'],
  ['Quitéria Lemos Aragão', docente, 'DBI'],
  ['Renato Azeredo Caldas', bolsista, 'DEM'],
  ['Sílvia Mascarenhas Rego', docente, 'DQI'],
  ['Tomás Abrantes Vidigal', temporario, 'DBI', 'Tainá Abrantes'],
  ['Úrsula Peçanha Lago', tecnico, 'DEM'],
  ['Vinícius Matoso Correia', bolsista, 'DQI'],
  ['Yara Bulhões Castelo', docente, 'DEM'],
  ['Walter Nóbrega Sodré', docente, 'DQI'],
  ['Zélia Corrêa Bandeira', tecnico, 'DBI'],
];
const LEFT = 2;

const address = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z ]/g, '')
    .replace(/^(\S+).* (\S+)$/, '$1.$2@universidade.example');

/** The employees with made-up CPFs, whose check digits are right. */
export const demoEmployees = employees.map(([nomeCivil, naturezaJuridica, lotacao, nomeSocial], i) => {
  const nine = String(900_100_000 + i * 1_017);
  return {
    cpf: nine + checkDigits(nine),
    nomeCivil,
    nomeSocial: nomeSocial ?? null,
    naturezaJuridica,
    lotacao,
    email: naturezaJuridica === bolsista && !nomeSocial ? null : address(nomeSocial ?? nomeCivil),
    situacao: i < employees.length - LEFT ? 'A' : 'I',
    /** How long before the demo its record was last changed. */
    daysAgo: (i * 37) % 400,
  } as const;
});
