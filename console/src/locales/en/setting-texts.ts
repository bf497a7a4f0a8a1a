/** The nature of settings, and the part that reads them. */
export const settingTexts = {
  deleteGlobal: 'Programs in every tenant will not find it any more. Its value cannot be brought back.',
  global: 'The service itself reads none of them: your programs do, over the API.',
  readByService: 'The service reads this setting itself:',
  tenant:
    'A setting is a key with a value. The service reads the ones with a form. Your programs read the others, over the API.',
}
