/** The page of one tenant. */
export const tenant = {
  administrators: 'Administrators',
  allAdministrators: 'Show the role',
  allRecords: 'Show the audit log',
  allSettings_one: 'Show the setting',
  allSettings_other: 'Show all {{count}} settings',
  allUsers_one: 'Show the user',
  allUsers_other: 'Show all {{said}} users',
  closed: 'To see inside this tenant, you need the permission tenant:enter.',
  facts: 'Details',
  history: 'Changes of the tenant itself. The built-in tenant keeps these records.',
  noAdministrators: 'This tenant has no administrators yet.',
  noRecords: 'No events in this tenant yet.',
  noSettings: 'This tenant has no settings of its own.',
  noUsers: 'This tenant has no users yet.',
  records: 'Recent events in this tenant',
  users: 'Newest users',
}
