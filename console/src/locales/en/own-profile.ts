/** The fields of the own profile. */
export const ownProfile = {
  choosePicture: 'Choose picture',
  nicknameHint: 'Others see this name in place of your username',
  noZone: 'No time zones match',
  notPicture: 'Choose a PNG, JPEG or WebP file. This one cannot be read as a picture.',
  pictureRemoved: 'Picture removed.',
  pictureSaved: 'Picture saved.',
  preferences: 'Language and time zone',
  preferencesText: 'This browser keeps both. E-mails come in the language as well.',
  removePicture: 'Remove picture',
  saved: 'Your nickname is changed.',
  systemZone: 'As the system ({{zone}})',
  timeZone: 'Time zone',
}
