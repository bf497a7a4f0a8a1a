/** The fields of the own profile. */
export const ownProfile = {
  nicknameHint: 'Others see this name in place of your username',
  saved: 'Your nickname is changed.',
}
