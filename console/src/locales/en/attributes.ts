/** The texts of attributes, and of forms that are made of a schema. */
export const attributes = {
  apply: 'Filter',
  edit: 'Edit attributes',
  filter: 'Filter by attributes',
  filterHint: 'Up to three. Values must match in full, ignoring case.',
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
  about: 'Extra fields for users and organizations, used in filters, tokens and directories',
  administrators: 'Administrators',
  administratorsHint: 'Administrators of the organization. Platform administrators have full access.',
  claim: 'Claim',
  claimHint:
    'The attribute’s name in tokens of first-party applications. Leave this empty to keep it out of tokens.',
  declare: 'Create attribute',
  delete: 'Delete',
  deleteText: 'Its values are ignored immediately, and deleted later. This can’t be undone.',
  deleteTitle: 'Delete the attribute {{name}}?',
  deleted: 'Attribute {{key}} deleted.',
  descriptionHint: 'Shown beside the field',
  edit: 'Edit',
  editOne: 'Edit the attribute {{key}}',
  en: 'Label in English',
  force: 'Save anyway',
  forceHint: 'The refused values stay stored but are ignored.',
  group: 'Group',
  groupHint: 'Fields in the same group appear together on one card.',
  indexed: 'Can be used in filters',
  indexedHint: 'At most 10 attributes. Not available for the type “Text list”.',
  indexedMark: 'Filter',
  key: 'Key',
  keyFixed: 'The key can’t be changed.',
  keyHint: 'Lowercase letters, digits and _, starting with a letter',
  marks: 'Options',
  nameFault: 'Use 1 to 64 lowercase letters, digits and _, starting with a letter.',
  noMatch: 'No attributes match',
  none: 'No attributes yet',
  noneText: 'Create one, and its field appears on the pages of all users or organizations.',
  one: 'Attribute',
  options: 'Allowed values',
  optionsHint: 'Leave it empty to allow any text',
  others: 'Other rules of the schema stay in place:',
  pattern: 'Pattern',
  patternHint: 'A regular expression that the text must match',
  placeTenant: 'Organization {{tenant}}',
  placeUser: 'User {{id}} of the organization {{tenant}}',
  refused: 'These values would be refused',
  saved: 'Attribute {{key}} saved.',
  scim: 'Path in directories',
  scimHint:
    'The directory fills the attribute from this SCIM path, such as title. Administrators need write access to the attribute.',
  search: 'Search attributes',
  self: 'The user',
  selfHint: 'Their own value, in their account',
  sensitive: 'Sensitive',
  sensitiveHint: 'Never shown in lists, audit records or tokens',
  subjects: 'Attributes of',
  tenantNew: 'Create an organization attribute',
  type: 'Type',
  typeHint: 'The type can’t be changed later.',
  userNew: 'Create a user attribute',
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
  array: 'Text list',
  boolean: 'Yes or no',
  integer: 'Whole number',
  number: 'Number',
  string: 'Text',
}
