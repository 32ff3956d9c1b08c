import { Check, Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@Check({
  name: 'icone_risco_icone_check',
  // Browsers execute other addresses, such as `javascript:`.
  expression: `"icone" = '' or "icone" ~* '^\\s*(https?:|data:image/)'`,
})
@ObjectType({
  description: 'A hazard pictogram; the nine of the GHS ship with the service.',
  simpleResolvers: true,
})
export class IconeRisco extends Registro {
  @Column('text', {
    description: 'The picture: an image URL, or the image itself as a data: URI',
    max: 65536,
    nullable: true,
  })
  icone!: string | null;

  @Column('text', { description: 'Name, such as `Chama`', max: 100, nullable: true, sort: true })
  nome!: string | null;

  @Column('text', { description: 'What it warns of', max: 1000, nullable: true })
  descricao!: string | null;
}
