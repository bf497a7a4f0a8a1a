/** Texts of a directory's user that fill attributes. Some are kept for this only, at their paths. */
import { attributeNamed, enterpriseSchema, textAttribute, userKind, type ResourceType } from './attributes.ts'
import { divideUrn } from './grammar.ts'
import { extensionTextMax, isShort, type Raw } from './values.ts'

const textsBytesMax = 16_384

interface Place {
  isExtension: boolean
  name: string
  sub: string | undefined
}

/** The place of a path in the usual spelling. */
const placeOf = (path: string): Place => {
  const { schema, rest } = divideUrn(path)
  const [name = '', sub] = rest.split('.')
  return { isExtension: schema === enterpriseSchema, name, sub }
}

const partsAt = (raw: Raw, { isExtension }: Place): Raw | undefined =>
  isExtension ? (raw[enterpriseSchema] as Raw | undefined) : raw

/** The value at a path of a resource. */
export const valueAt = (raw: Raw, path: string): unknown => {
  const place = placeOf(path)
  const value = partsAt(raw, place)?.[place.name]
  return place.sub === undefined ? value : (value as Raw | undefined)?.[place.sub]
}

/** Whether a resource has the attribute also without a declaration that it fills. */
const isKeptAnyway = ({ isExtension, name }: Place): boolean =>
  name === 'externalId' ||
  !!attributeNamed((isExtension ? userKind.extension : userKind.schema)?.attributes, name)

const addedPlaces = (paths: string[]): [string, Place][] =>
  paths.map((path): [string, Place] => [path, placeOf(path)]).filter(([, place]) => !isKeptAnyway(place))

/** The users of a directory, with the texts at `paths`. */
export const userKindWith = (paths: string[]): ResourceType => {
  const added = addedPlaces(paths)
  const namesIn = (isExtension: boolean) => [
    ...new Set(added.flatMap(([, place]) => (place.isExtension === isExtension ? place.name : []))),
  ]
  const withTexts = <T extends NonNullable<ResourceType['extension']>>(
    schema: T,
    isExtension: boolean,
  ): T => ({
    ...schema,
    attributes: [...schema.attributes, ...namesIn(isExtension).map(textAttribute)],
  })
  const { schema, extension } = userKind
  return { schema: withTexts(schema, false), extension: extension && withTexts(extension, true) }
}

/** The text of a value. Undefined for a value that is left out. */
const textOf = (value: unknown): string | undefined => {
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  const text = isScalar ? String(value) : undefined
  return text !== undefined && isShort(text, extensionTextMax) ? text : undefined
}

export type Texts = Record<string, string>

/**
 * The texts of a resource that are kept only because they fill attributes, by their paths. A value that is no text, is
 * too long or has no room is left out, and the earlier text stays.
 */
export const textsIn = (raw: Raw, paths: string[], earlier: Texts): Texts => {
  const given = addedPlaces(paths).flatMap(([path]): [string, unknown][] => {
    const value = valueAt(raw, path)
    return value === undefined ? [] : [[path, value]]
  })
  const kept: Texts = Object.fromEntries(
    given.flatMap(([path]) => (earlier[path] === undefined ? [] : [[path, earlier[path]]])),
  )
  for (const [path, value] of given) {
    const text = textOf(value)
    if (text === undefined) continue
    const isRoom = Buffer.byteLength(JSON.stringify({ ...kept, [path]: text })) <= textsBytesMax
    if (isRoom) kept[path] = text
  }
  return kept
}

/** A resource without these texts in its extension. */
export const ownExtension = (raw: Raw): Raw =>
  Object.fromEntries(
    Object.entries((raw[enterpriseSchema] as Raw | undefined) ?? {}).filter(([name]) =>
      isKeptAnyway({ isExtension: true, name, sub: undefined }),
    ),
  )

/** A resource with the texts at their paths. */
export const withTexts = (raw: Raw, texts: Texts): Raw => {
  const [all, extension] = [{ ...raw }, { ...(raw[enterpriseSchema] as Raw | undefined) }]
  for (const [path, text] of Object.entries(texts)) {
    const { isExtension, name } = placeOf(path)
    if (isExtension) extension[name] = text
    else all[name] = text
  }
  return Object.keys(extension).length > 0 ? { ...all, [enterpriseSchema]: extension } : all
}

/** A copy of a resource without the values at `paths`. */
export const withoutPaths = (raw: Raw, paths: string[]): Raw => {
  const copy = structuredClone(raw)
  for (const path of paths) {
    const place = placeOf(path)
    const parts = partsAt(copy, place)
    if (place.sub === undefined) delete parts?.[place.name]
    else delete (parts?.[place.name] as Raw | undefined)?.[place.sub]
  }
  return copy
}
