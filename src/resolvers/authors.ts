import { Field, InputType, Int } from 'type-graphql';

/** Authors of a record as the client sends them; by default the caller (contract 4). */
@InputType({ description: 'Authors of a record.' })
export abstract class AuthorsInput {
  @Field(() => Int, { nullable: true, description: 'Person who creates the record; the caller when absent' })
  criadoPor?: number | null;

  @Field(() => Int, { nullable: true, description: 'Person who changes the record; the caller when absent' })
  alteradoPor?: number | null;
}
