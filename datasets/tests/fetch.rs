//! A server that does what it should, and others, against a download of one file.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use datasets::Digest;
use datasets::fetch::download;

const CONTENT: &[u8] = b"abc";
const DIGEST: &str = "md5:900150983cd24fb0d6963f7d28e17f72";

/// Returns the address of a server that sends this to its first client.
fn serve(response: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        let lines = BufReader::new(&stream).lines();
        lines
            .take_while(|line| line.as_ref().is_ok_and(|line| !line.is_empty()))
            .count();
        stream.write_all(response.as_bytes()).unwrap();
    });
    format!("http://{address}/file")
}

#[test]
fn a_file_is_kept_whole_or_not_at_all() {
    for (response, says) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", None),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
            Some("interrupted"),
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabd",
            Some("is not the expected one (md5:9001"),
        ),
        (
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            Some("the server responded with status 404"),
        ),
        ("nonsense", Some("no response")),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("set/file");
        let digest = Digest::try_from(DIGEST.to_owned()).unwrap();
        let downloaded = download(&serve(response), &to, &[&digest]);
        match says {
            None => {
                downloaded.unwrap();
                assert_eq!(fs::read(&to).unwrap(), CONTENT);
            }
            Some(says) => {
                let error = downloaded.unwrap_err().to_string();
                assert!(error.contains(says), "{error}");
                assert!(!to.exists());
            }
        }
        assert!(!folder.path().join("set/file.part").exists());
    }
}
