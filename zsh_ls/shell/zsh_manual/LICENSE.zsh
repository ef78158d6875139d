The texts in manual.tsv are from the manual pages of zsh (https://www.zsh.org/pub/), as Debian's package
zsh-common installs them. What follows is the statement of that package.

Copyright: 1992-2022 The Zsh Development Group (Paul Falstad, Richard Coleman, Zoltán Hidvégi, Andrew Main,
Peter W. Stephenson, Sven Wischnowsky, and others). All rights reserved. Individual authors, whether or not
specifically named, retain copyright in all changes.

Permission is hereby granted, without written agreement and without
licence or royalty fees, to use, copy, modify, and distribute this
software and to distribute modified versions of this software for any
purpose, provided that the above copyright notice and the following
two paragraphs appear in all copies of this software.

In no event shall the copy right owners liable to any party for
direct, indirect, special, incidental, or consequential damages
arising out of the use of this software and its documentation, even
if and the copyright owners have been advised of the possibility of
such damage.

The copyright owners specifically disclaim any warranties, including,
but not limited to, the implied warranties of merchantability and
fitness for a particular purpose.  The software provided hereunder is
on an "as is" basis, and the copyright owners have no obligation to
provide maintenance, support, updates, enhancements, or
modifications.
