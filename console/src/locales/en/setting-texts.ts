/** The nature of settings, and the part that reads them. */
export const settingTexts = {
  deleteGlobal: 'Programs in every tenant will no longer find it. Its value cannot be restored.',
  readByService: 'The service reads this setting itself:',
  readers: 'The service reads the settings that have a form. Your programs read the others over the API.',
}
