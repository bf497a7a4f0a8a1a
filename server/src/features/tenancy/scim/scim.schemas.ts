/** Requests and answers of SCIM 2.0 (RFC 7643 and 7644), for the API description. */
import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { pageFields } from '../../../http/schemas.ts'

const lengthMax = 4000

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: lengthMax, description, examples: [example] }))

const projection = {
  attributes: text('The attributes to answer with, with commas between them.', 'userName,emails'),
  excludedAttributes: text('The attributes to leave out, with commas between them.', 'members'),
}

export const Projection = Type.Object(projection)
export type Projection = Static<typeof Projection>

export const PageQuery = Type.Object({
  filter: text(
    'Up to 2,000 characters and 10 levels. `eq`, `ne`, `co`, `sw`, `ew`, `pr`; for times `gt`, `ge`, `lt`, `le`.',
    'userName eq "ada@example.com"',
  ),
  startIndex: text('The place of the first resource, from 1.', '1'),
  count: text('Up to 200, else 200. Default 100.', '100'),
  ...projection,
})
export type PageQuery = Static<typeof PageQuery>

export const ResourceParams = Type.Object({
  id: Type.String({
    maxLength: 400,
    description: 'A UUID.',
    examples: ['2819c223-7f76-453a-919d-413861904646'],
  }),
})

/** Accepts any body, because a fault must be an error of the standard. */
export const ScimBody = Type.Unknown({
  description: 'A resource as RFC 7643 says, or operations as RFC 7644 says (3.5.2).',
  examples: [{ userName: 'ada@example.com', active: true }],
})

export const Resource = Type.Object(
  {
    schemas: Type.Array(Type.String({ examples: ['urn:ietf:params:scim:schemas:core:2.0:User'] })),
    id: Type.String({ examples: ['2819c223-7f76-453a-919d-413861904646'] }),
  },
  { title: 'ScimResource', additionalProperties: true },
)

export const ScimList = Type.Object(
  {
    schemas: Type.Array(Type.String({ examples: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] })),
    totalResults: Type.Integer({ examples: [1] }),
    startIndex: Type.Integer({ examples: [1] }),
    itemsPerPage: Type.Integer({ examples: [1] }),
    Resources: Type.Array(Type.Unknown(), { examples: [[]] }),
  },
  { title: 'ScimList' },
)

export const ScimFailure = Type.Object(
  {
    schemas: Type.Array(Type.String({ examples: ['urn:ietf:params:scim:api:messages:2.0:Error'] })),
    status: Type.String({ examples: ['400'] }),
    scimType: Type.Optional(Type.String({ examples: ['invalidFilter'] })),
    detail: Type.String({ examples: ['Filters do not know title'] }),
  },
  { title: 'ScimError' },
)

export const ScimDocument = Type.Object(
  { schemas: Type.Array(Type.String({ examples: ['urn:ietf:params:scim:schemas:core:2.0:Schema'] })) },
  { title: 'ScimDocument', additionalProperties: true },
)

export const DirectoryGroupQuery = Type.Object(pageFields)
export type DirectoryGroupQuery = Static<typeof DirectoryGroupQuery>

export const DirectoryGroup = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['e9e30dba-f08f-4109-8486-d5c6a331660a'] }),
    external_id: Type.String({ description: '"" where the provider gave none.', examples: ['g-7'] }),
    display_name: Type.String({ examples: ['Engineers'] }),
    members: Type.Integer({ description: 'The number of members.', examples: [12] }),
  },
  { title: 'DirectoryGroup' },
)
export type DirectoryGroup = Static<typeof DirectoryGroup>
