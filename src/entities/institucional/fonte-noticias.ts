import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** What a news feed said of its last good copy, so that it need send none while nothing is new. */
@Entity()
export class FonteNoticias {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Property({ type: 'string', columnType: 'text', unique: true })
  url!: string;

  /** Its `ETag`. */
  @Property({ type: 'string', columnType: 'text', nullable: true })
  etag!: string | null;

  /** Its `Last-Modified`, as it was written. */
  @Property({ type: 'string', columnType: 'text', nullable: true })
  ultimaModificacao!: string | null;
}
