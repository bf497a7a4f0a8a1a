export { AttributeValues, PatchAttributes } from '../../configuration/attributes/attributes.schemas.ts'
