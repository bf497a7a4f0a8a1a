export const domains = {
  about:
    'A DNS record proves that a domain is yours. A provider signs in only people with addresses in a verified domain.',
  add: 'Add domain',
  addHint: 'The part of your addresses after the @. A subdomain is a domain of its own.',
  copyName: 'Copy the name of the record',
  copyValue: 'Copy the value of the record',
  delete: 'Delete',
  deleteLeading:
    'People with addresses in this domain are no longer sent to {{name}}, and nobody new can sign in by it. Open sessions stay. Any organization can then verify the domain.',
  deleteOne: 'Delete {{domain}}?',
  deleteText:
    'Any organization can then verify the domain. To have it back, you verify it again by a new record.',
  deleteThis: 'Delete the domain {{domain}}',
  deleted: 'Domain {{domain}} deleted.',
  hideRecord: 'Hide the record',
  isVerified: 'Domain {{domain}} verified.',
  lapsed: 'Lapsed',
  lapsedChoice: 'Lapsed: its record is gone. Nobody new signs in by it until you verify it again.',
  lapsedText:
    'The record was missing for 7 days. People who signed in before still can; nobody new can, and another organization may verify the domain. Put the record back and look again.',
  leadsNowhere: 'No connection uses this domain yet.',
  leadsTo: 'Leads to {{name}}. Keep the record in DNS: it is looked at every day.',
  look: 'Look now',
  looked: 'Last looked:',
  missing:
    'The record is not there yet. It can take minutes, at some providers hours, until a new record is seen everywhere. Check that its name is exactly {{record}}.',
  nameHint:
    'Some providers add the domain themselves. There, enter only {{short}}, and not .{{domain}} behind it.',
  none: 'No domains yet. Add the one that your e-mail addresses have.',
  others: 'The record is not there yet. At {{record}} stand other texts:',
  pending: 'Not verified',
  pendingChoice: 'Not verified yet. Nobody signs in by it until then.',
  recordName: 'Name of the TXT record',
  recordValue: 'Value of the TXT record',
  showRecord: 'Show the record',
  stepLook: 'Save it, wait a few minutes, then choose “Look now”.',
  stepOpen: 'Open the DNS settings of {{domain}}, at the company where the domain is registered or hosted.',
  stepRecord:
    'Add a record of the type TXT with the name and the value below. Records that are there can stay.',
  title: 'Domains',
  unanswered: 'No DNS server gave an answer. Look again in a few minutes.',
  verified: 'Verified',
  verifiedChoice: 'Verified',
  wrong: 'Enter a domain such as example.com.',
}
