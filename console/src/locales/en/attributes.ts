/** The texts of attributes, and of forms that are made of a schema. */
export const attributes = {
  apply: 'Filter',
  edit: 'Edit attributes',
  filter: 'Filter by attributes',
  filterHint: 'Up to three. Values match exactly, ignoring case.',
  none: 'No attributes',
  saved: 'Attributes saved.',
}

export const schemaForm = {
  no: 'No',
  noJson: 'This isn’t valid JSON.',
  yes: 'Yes',
}

/** The page that declares attributes. */
export const attributeForms = {
  about: 'Extra fields of users and organizations, for filters, tokens and directories',
  administrators: 'Administrators',
  administratorsHint: 'Of the organization. Platform administrators have full access.',
  claim: 'Claim',
  claimHint: 'Its name in the tokens of your own applications. Leave it empty for none.',
  declare: 'Declare attribute',
  delete: 'Delete',
  deleteText: 'Its values stop counting immediately, and are deleted later. This can’t be undone.',
  deleteTitle: 'Delete the attribute {{name}}?',
  deleted: '{{key}} deleted.',
  descriptionHint: 'Shown beside the field',
  edit: 'Edit',
  editOne: 'Edit the attribute {{key}}',
  en: 'Label in English',
  force: 'Save anyway',
  forceHint: 'The refused values stay stored but no longer count.',
  group: 'Group',
  groupHint: 'Fields of one group share a card.',
  indexed: 'Can be filtered',
  indexedHint: 'Up to 10 attributes, but no lists',
  indexedMark: 'Filter',
  key: 'Key',
  keyFixed: 'The key never changes.',
  keyHint: 'Lower-case letters, digits and _, with a letter first',
  marks: 'Use',
  nameFault: 'Use 1 to 64 lower-case letters, digits and _, with a letter first.',
  noMatch: 'No attributes match',
  none: 'No attributes yet',
  noneText: 'Declare one, and its field appears on the pages of all users or organizations.',
  one: 'Attribute',
  options: 'Allowed values',
  optionsHint: 'Leave it empty for any text',
  others: 'Further rules of the schema stay:',
  pattern: 'Pattern',
  patternHint: 'A regular expression that the text matches',
  placeTenant: 'Organization {{tenant}}',
  placeUser: 'User {{id}} of the organization {{tenant}}',
  refused: 'These values would be refused',
  saved: '{{key}} saved.',
  scim: 'Path in directories',
  scimHint: 'Filled by a directory, such as title. Administrators must be able to write it.',
  search: 'Search attributes',
  self: 'The user',
  selfHint: 'Their own value, in their account',
  sensitive: 'Sensitive',
  sensitiveHint: 'Never in lists, records or tokens',
  subjects: 'Attributes of',
  tenantNew: 'Declare an attribute of organizations',
  type: 'Type',
  typeHint: 'The type never changes.',
  userNew: 'Declare an attribute of users',
  zh: 'Label in Chinese',
}

export const attributeAccess = {
  none: 'No access',
  read: 'Read',
  write: 'Read and write',
}

export const attributeLimits = {
  maxItems: 'Maximum entries',
  maxLength: 'Maximum length',
  maximum: 'Maximum',
  minLength: 'Minimum length',
  minimum: 'Minimum',
}

export const attributeTypes = {
  array: 'List of texts',
  boolean: 'Yes or no',
  integer: 'Whole number',
  number: 'Number',
  string: 'Text',
}
