import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { Empresa } from './empresa.ts';

const states = choices(
  'UnidadeFederativa',
  'State of Brazil',
  {
    AC: ['AC', 'Acre'],
    AL: ['AL', 'Alagoas'],
    AM: ['AM', 'Amazonas'],
    AP: ['AP', 'Amapá'],
    BA: ['BA', 'Bahia'],
    CE: ['CE', 'Ceará'],
    DF: ['DF', 'Distrito Federal'],
    ES: ['ES', 'Espírito Santo'],
    GO: ['GO', 'Goiás'],
    MA: ['MA', 'Maranhão'],
    MG: ['MG', 'Minas Gerais'],
    MS: ['MS', 'Mato Grosso do Sul'],
    MT: ['MT', 'Mato Grosso'],
    PA: ['PA', 'Pará'],
    PB: ['PB', 'Paraíba'],
    PE: ['PE', 'Pernambuco'],
    PI: ['PI', 'Piauí'],
    PR: ['PR', 'Paraná'],
    RJ: ['RJ', 'Rio de Janeiro'],
    RN: ['RN', 'Rio Grande do Norte'],
    RO: ['RO', 'Rondônia'],
    RR: ['RR', 'Roraima'],
    RS: ['RS', 'Rio Grande do Sul'],
    SC: ['SC', 'Santa Catarina'],
    SE: ['SE', 'Sergipe'],
    SP: ['SP', 'São Paulo'],
    TO: ['TO', 'Tocantins'],
  },
  { properNames: true },
);

/**
 * The maximum length of a text is that of its field in the record MA of the Federal Police's file, so that none is cut.
 */
@Entity()
@Check({ name: 'armazem_cep_check', expression: `"cep" ~ '^[0-9]{8}$'` })
@Check({
  name: 'armazem_codigo_municipio_check',
  expression: '"codigo_municipio" >= 1000000 and "codigo_municipio" <= 9999999',
})
@ObjectType({
  description:
    'Where a company stores goods of others: its address, for the monthly map of controlled chemicals.',
  simpleResolvers: true,
})
export class Armazem extends Registro {
  // A CNPJ identifies one establishment, which has one address.
  @Link(() => Empresa, { description: 'Company that stores', unique: true, owner: true })
  empresa!: Empresa;

  @Column('text', { description: 'Street', max: 70, sort: true })
  endereco!: string;

  @Column('text', { description: 'Number in the street, such as `S/N`', max: 5 })
  numero!: string;

  @Column('text', { description: 'Part of the building', max: 20, nullable: true })
  complemento!: string | null;

  @Column('text', { description: 'Neighbourhood', max: 30 })
  bairro!: string;

  @Column('text', { description: 'Postal code (CEP), 8 digits', max: 8 })
  cep!: string;

  @Column('text', { description: states.description, max: 2, oneOf: states })
  uf!: ValueOf<typeof states>;

  @Column('integer', { description: "IBGE's code of the municipality, 7 digits" })
  codigoMunicipio!: number;
}
