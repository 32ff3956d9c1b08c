import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Validators of the last good copy of a news feed, so that an unchanged feed is not downloaded again. */
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
