import { Funcionario } from '../../entities/institucional/funcionario.ts';
import { cpf, email } from '../identifiers.ts';
import { Importable } from '../importable.ts';

export const funcionarios = new Importable('funcionarios', Funcionario, {
  managedBy: ['institucional/funcionarios-ativos'],
  key: ['cpf'],
  columns: [
    'cpf',
    'nomeCivil',
    'nomeSocial',
    'naturezaJuridica',
    'ultimaAlteracao',
    'email',
    'lotacao.sigla',
    'situacao',
  ],
  formats: { cpf, email },
});
