/** The documents about the service provider (RFC 7643, 5 to 7). */
import type { Ctx } from '../../../context.ts'
import { enterpriseSchema, groupKind, schemas, userKind, type SchemaOfResource } from './attributes.ts'
import { baseUrl, listAnswer } from './answers.ts'
import { requireDirectory, resourceUnknown } from './directory.service.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'

const off = { supported: false }

/** The supported features, as JSON. */
export const readConfiguration = async (ctx: Ctx): Promise<string> => {
  await requireDirectory(ctx)
  return JSON.stringify({
    schemas: [`${core}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: off,
    sort: off,
    etag: off,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Key of a service account',
        description: 'Authorization: Bearer <key>',
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${baseUrl(ctx.parts.config)}/ServiceProviderConfig`,
    },
  })
}

const types = [
  {
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: userKind.schema.description,
    schema: userKind.schema.id,
    schemaExtensions: [{ schema: enterpriseSchema, required: false }],
  },
  {
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: groupKind.schema.description,
    schema: groupKind.schema.id,
    schemaExtensions: [],
  },
]

const typesIn = ({ parts }: Ctx) =>
  types.map((type) => ({
    schemas: [`${core}:ResourceType`],
    ...type,
    meta: { resourceType: 'ResourceType', location: `${baseUrl(parts.config)}/ResourceTypes/${type.id}` },
  }))

const schemaIn = ({ parts }: Ctx, schema: SchemaOfResource) => ({
  schemas: [`${core}:Schema`],
  ...schema,
  meta: { resourceType: 'Schema', location: `${baseUrl(parts.config)}/Schemas/${schema.id}` },
})

const schemasIn = (ctx: Ctx) => schemas.map((schema) => schemaIn(ctx, schema))

const one = async (ctx: Ctx, documents: { id: string }[], id: string): Promise<string> => {
  await requireDirectory(ctx)
  const found = documents.find((document) => document.id.toLowerCase() === id.toLowerCase())
  if (!found) throw resourceUnknown(id.slice(0, 100))
  return JSON.stringify(found)
}

const all = async (ctx: Ctx, documents: object[]): Promise<string> => {
  await requireDirectory(ctx)
  return listAnswer(documents, documents.length, 1)
}

export const listResourceTypes = (ctx: Ctx) => all(ctx, typesIn(ctx))
export const getResourceType = (ctx: Ctx, id: string) => one(ctx, typesIn(ctx), id)
export const listSchemas = (ctx: Ctx) => all(ctx, schemasIn(ctx))
export const getSchema = (ctx: Ctx, id: string) => one(ctx, schemasIn(ctx), id)
