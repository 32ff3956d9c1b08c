import { Field, InputType, Int } from 'type-graphql';

/** Who wrote a record, as the client says; the caller when it says nothing (contract 4). */
@InputType({ description: 'Authors of a record.' })
export abstract class AuthorsInput {
  @Field(() => Int, { nullable: true, description: 'Person who creates the record; the caller when absent' })
  criadoPor?: number | null;

  @Field(() => Int, { nullable: true, description: 'Person who changes the record; the caller when absent' })
  alteradoPor?: number | null;
}
